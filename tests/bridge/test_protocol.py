"""The protocol of `evaluate`: rows added in any way, reuse after success and failure, and results others can use."""

import copy
import json
import math
import pickle
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from filelock import FileLock
from growth import takes_less
from layouts import Columns, rows_of

import metrologue
from metrologue import InputError
from metrologue.bridge.results import NamedRate
from metrologue.output import as_json
from metrologue.scorers import Scorer, get_scorer

pytestmark = pytest.mark.bridge


def singly(columns: Columns) -> Iterator[dict[str, Any]]:
    """Each segment as ``add`` takes it."""
    for row in zip(*columns.values(), strict=True):
        yield {name.removesuffix("s"): value for name, value in zip(columns, row, strict=True)}


def plain_values(value: Any) -> Iterator[Any]:
    """The leaves of a result."""
    if type(value) is dict:
        for item in value.values():
            yield from plain_values(item)
    elif type(value) is list:
        for item in value:
            yield from plain_values(item)
    else:
        yield value


def assert_nothing_left(folder: Path) -> None:
    """No cache file is there, and every lock is free."""
    assert not list(folder.rglob("*.arrow"))
    for path in folder.rglob("*.lock"):
        with FileLock(path, timeout=0):
            pass


@pytest.mark.contract
def test_rows_count_once_however_they_come(
    module: Any, load: Callable[..., Any], tmp_path: Path, rows: Columns
) -> None:
    expected = module.compute(**rows, per_segment=True)
    for instance in (module, load(keep_in_memory=True)):
        for each in singly(rows):
            instance.add(**each)
        assert len(instance) == 5
        assert instance.compute(per_segment=True) == expected

        instance.add_batch(**rows_of(rows, 0, 2))
        instance.add(**[*singly(rows)][2])
        instance.add_batch(**rows_of(rows, 3, 4))
        assert instance.compute(**rows_of(rows, 4, 5), per_segment=True) == expected
        assert len(instance) == 0
    assert_nothing_left(tmp_path)


def test_texts_reach_the_scorer_unchanged(module: Any, rows: Columns) -> None:
    result = module.compute(**rows, signature=True, per_segment=True)
    scorer = Scorer.from_signature(result["signature"])
    assert scorer.corpus(**rows).value in result.values()
    assert result["segments"] == {name: column.tolist() for name, column in scorer.segment_scores(**rows).items()}


@pytest.mark.contract
def test_every_result_is_plain(module: Any, rows: Columns, tmp_path: Path) -> None:
    """Training scripts log it, and `evaluate.save` writes it."""
    result = module.compute(**rows, signature=True, per_segment=True)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads(as_json(result)) == result


def test_large_batches_are_written_in_parts(
    module: Any,
    load: Callable[..., Any],
    columns: Callable[..., Columns],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """As `evaluate` keeps text in columns of 2 GiB at most."""
    rows = columns([f"a b c d {i}" for i in range(50)], [["a b d", f"a {i}"][: 1 + i % 2] for i in range(50)])
    whole = module.compute(**rows)
    monkeypatch.setattr("metrologue.bridge.metric_module.MOST_BYTES", 100)
    again = load(cache_dir=str(tmp_path / "parts"))
    assert again.compute(**rows) == whole
    again.add_batch(**rows)
    assert again.compute() == whole


@pytest.mark.contract
def test_rows_that_come_at_once_need_no_file(
    load: Callable[..., Any], pair: Columns, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module, at_once = load(cache_dir=str(tmp_path)), load(cache_dir=str(tmp_path))
    monkeypatch.setattr(at_once, "_open", None)
    module.add_batch(**pair)
    assert at_once.compute(**pair) == module.compute()
    with pytest.raises(TypeError):
        at_once.add_batch(**pair)  # a later call may add more


def test_order_of_segments(load: Callable[..., Any], summing: str, rows: Columns) -> None:
    module = load(summing, keep_in_memory=True)
    if module.metric == "lexical_diversity":
        pytest.skip("its texts are one running text")
    forward = module.compute(**rows, per_segment=True)
    backward = module.compute(**{name: column[::-1] for name, column in rows.items()}, per_segment=True)
    segments, turned = forward.pop("segments"), backward.pop("segments")
    # Sums of floats end in another last digit.
    assert all(forward[name] == pytest.approx(backward[name], rel=1e-12) for name in backward)
    assert {name: column[::-1] for name, column in turned.items()} == segments


@pytest.mark.contract
def test_results_are_plain_and_can_be_written(
    module: Any, named: Callable[..., Any], pair: Columns, tmp_path: Path
) -> None:
    default = named(module.compute(**pair))
    asked = module.compute(**pair, signature=True, per_segment=True)
    assert list(asked) == [*default, "signature", "segments"]
    assert {name: asked[name] for name in default} == default
    assert type(asked["signature"]) is str
    assert all(len(column) == 2 for column in asked["segments"].values())
    assert all(type(value) in (int, float, NamedRate) and math.isfinite(value) for value in plain_values(default))
    assert json.loads(json.dumps(asked, allow_nan=False)) == asked
    saved = json.loads(evaluate.save(tmp_path / "result.json", **asked).read_text("utf-8"))
    assert {name: saved[name] for name in asked} == asked


@pytest.mark.contract
def test_intervals_are_given_if_they_are_asked_for(
    module: Any, load: Callable[..., Any], named: Callable[..., Any], pair: Columns
) -> None:
    # Four rows: Self-BLEU needs two texts when one is left out.
    rows = {name: column * 2 for name, column in pair.items()}
    default = named(module.compute(**rows))
    asked = module.compute(**rows, confidence=0.9)
    assert list(asked) == [*default, "confidence"]
    assert {name: asked[name] for name in default} == default
    scorer = get_scorer(module.metric)
    limits = asked["confidence"]
    assert limits.pop("signature").startswith("level=0.9|resamples=1000|seed=12345|")
    assert set(limits) <= set(scorer.variant(module.config_name).higher_is_better or [scorer().primary])
    assert all(each["low"] <= each["mean"] <= each["high"] for each in limits.values())
    assert json.loads(json.dumps(asked, allow_nan=False)) == asked
    seeded = load(seed=7, keep_in_memory=True).compute(**rows, confidence=0.9)["confidence"]
    assert "|seed=7|" in seeded["signature"]
    assert named(module.compute(**rows)) == default
    with pytest.raises(InputError, match="the level of confidence is 95"):
        module.compute(**rows, confidence=95)


def test_combine(module: Any, load: Callable[..., Any], pair: Columns) -> None:
    other = evaluate.load(str(Path(__file__).parents[2] / "metrics" / "bleu"), "nltk", keep_in_memory=True)
    of_texts = {name: pair[name] for name in ("predictions", "references")}
    # A bare number is combined by its name, where the Hub's own module fails.
    expected = {
        **{f"one_{name}": value for name, value in module.compute(**pair).items()},
        **{f"two_{name}": value for name, value in other.compute(**of_texts).items()},
    }
    both = evaluate.combine({"one": module, "two": other}, force_prefix=True)
    if pair == of_texts:  # `evaluate` passes what `compute` is given to each module, and BLEU takes no more
        assert both.compute(**pair) == expected
    for prediction, reference, *others in zip(*pair.values(), strict=True):
        both.add(prediction, reference, **dict(zip([*pair][2:], others, strict=True)))
    assert both.compute() == expected
    both.add_batch(**pair)
    assert both.compute() == expected
    signed = evaluate.combine([module, load()]).compute(**pair, signature=True)
    names = [f"{module.name}_{number}_signature" for number in range(2)]
    assert [key for key in signed if key.endswith("signature")] == names


@pytest.mark.contract
def test_failure_while_scoring_leaves_nothing(
    load: Callable[..., Any], pair: Columns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for instance in (load(cache_dir=str(tmp_path)), load(keep_in_memory=True, cache_dir=str(tmp_path))):
        expected = instance.compute(**pair)

        def fail(**columns: Any) -> None:
            raise RuntimeError("while scoring")

        with monkeypatch.context() as patch:
            patch.setattr(instance, "_compute", fail)
            with pytest.raises(RuntimeError, match="while scoring"):
                instance.compute(**pair)
            instance.add_batch(**pair)
            with pytest.raises(RuntimeError, match="while scoring"):
                instance.compute()
        assert_nothing_left(tmp_path)
        with pytest.raises(InputError, match="nothing to score"):
            instance.compute()
        assert instance.compute(**pair) == expected


def test_failure_before_scoring_keeps_what_was_added(module: Any, pair: Columns, tmp_path: Path) -> None:
    expected = module.compute(**pair)
    module.add_batch(**pair)
    for bad in ({**pair, "predictions": ["a", 3]}, {"lang": "cs"}):
        with pytest.raises((InputError, TypeError)):
            module.compute(**bad)
    assert module.compute() == expected
    assert_nothing_left(tmp_path)


@pytest.mark.parametrize("several", [False, True])
def test_a_cache_folder_that_was_removed(several: bool, tmp_path: Path) -> None:
    module: Any = metrologue.load("bleu", cache_dir=str(tmp_path / "cache"))
    rows = {"predictions": ["a b c d"], "references": [["a b c d"]]}
    expected = module.compute(**rows)
    shutil.rmtree(tmp_path / "cache")
    if several:
        module.add_batch(**rows)
        assert module.compute() == expected
        module.add_batch(**rows)
        shutil.rmtree(tmp_path / "cache")
        with pytest.raises(InputError, match=r"the rows are lost, because .* was removed; add them again"):
            module.compute()
    assert module.compute(**rows) == expected


def test_numbers_do_not_hang_on_the_global_generator(load: Callable[..., Any], columns: Callable[..., Columns]) -> None:
    words = list("abcdefghi")
    data = columns([" ".join(words[i % 7 :]) for i in range(40)], [" ".join(words)] * 40)
    results = []
    for state in (1, 2):
        np.random.seed(state)
        results.append(load().compute(**data, signature=True))
    assert results[0] == results[1]
    seeded = load(seed=3).compute(**data, signature=True)
    assert ("|seed=3|" in seeded["signature"]) == (seeded != results[0])


def test_two_instances_interleaved(
    load: Callable[..., Any], columns: Callable[..., Columns], pair: Columns, tmp_path: Path
) -> None:
    one, two = load(cache_dir=str(tmp_path)), load(cache_dir=str(tmp_path))
    expected = one.compute(**pair)
    one.add_batch(**pair)
    others = columns(["z y x w u", "z y x w v"], ["z y x v u", "z y x v w"])
    for each in singly(others):
        two.add(**each)
    assert one.compute() == expected
    assert two.compute() == load(keep_in_memory=True).compute(**others)
    assert_nothing_left(tmp_path)


def test_threads_with_an_instance_each(
    load: Callable[..., Any], columns: Callable[..., Columns], tmp_path: Path
) -> None:
    reference = [f"a b c d e {i}" for i in range(50)]
    batches = [
        columns(
            [right if i % (n + 2) == 0 else f"{'z ' * n}a b c d e {i + n}" for i, right in enumerate(reference)],
            reference,
        )
        for n in range(1, 5)
    ]
    expected = [load(keep_in_memory=True).compute(**batch) for batch in batches]
    assert len({json.dumps(result) for result in expected}) == 4

    def work(number: int) -> list[Any]:
        instance = load(cache_dir=str(tmp_path))
        return [instance.compute(**batches[number]) for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [[result] * 5 for result in expected]
    assert_nothing_left(tmp_path)


def test_copies_are_independent(module: Any, pair: Columns) -> None:
    expected = module.compute(**pair)
    twin = copy.deepcopy(module)
    module.add(**next(singly(pair)))
    assert twin.compute(**pair) == expected
    assert len(module) == 1


def test_a_rank_that_waits_in_vain_leaves_nothing(load: Callable[..., Any], pair: Columns, tmp_path: Path) -> None:
    rank = load(num_process=2, process_id=0, experiment_id="alone", cache_dir=str(tmp_path), timeout=0.1)
    for _ in range(2):
        with pytest.raises(ValueError, match="Expected to find locked file"):
            rank.add_batch(**pair)
        assert len(rank) == 0
        assert_nothing_left(tmp_path)


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_a_hundred_thousand_rows(
    keep_in_memory: bool, load: Callable[..., Any], columns: Callable[..., Columns], pair: Columns, summing: str
) -> None:
    rows = columns(
        [f"this is sentence number {i} of a test" for i in range(100_000)],
        [[f"that is sentence number {i} of the test", "a test"] for i in range(100_000)],
    )
    instance = load(summing, keep_in_memory=keep_in_memory)
    instance.compute(**pair)

    def computed(count: int) -> Callable[[], object]:
        return lambda: instance.compute(**rows_of(rows, 0, count))

    assert takes_less(computed(100_000), computed(10_000), 25)


def test_a_bare_rate_is_combined_by_its_name() -> None:
    texts = {"predictions": ["a b c d e"], "references": ["a b c d f"]}
    modules = [metrologue.load(name) for name in ("bleu", "wer", "cer")]
    found = evaluate.combine(modules).compute(**texts)
    assert {name: found[name] for name in ("wer", "cer")} == {"wer": 0.2, "cer": 1 / 9}
    rate = modules[1].compute(**texts)
    assert (rate, repr(rate), json.dumps(rate), type(rate * 1)) == (0.2, "0.2", "0.2", float)
    assert type(pickle.loads(pickle.dumps(rate))) is float
