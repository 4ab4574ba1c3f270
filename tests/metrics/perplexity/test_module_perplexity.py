"""The module `perplexity`: the Hub's own module on the same models, and what the Hub's cannot do."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from compared import compared
from hypothesis import given, settings
from hypothesis import strategies as st

evaluate = pytest.importorskip("evaluate", reason="`evaluate` is not installed")
from small_model import WordModel  # noqa: E402

import metrologue  # noqa: E402
from metrologue import InputError, load  # noqa: E402
from metrologue.scorers import Perplexity, Scorer  # noqa: E402

NUMBERS = [[0.5, 0.25, 0.125], [0.5], [0.1, 0.7]]
TEXTS = [
    "The cat sat on the mat.",
    "A bird 🎉 sang: שלום",
    "你好, e\u0301 \n\t",
    "the dog " * 5,
    "xy",
]
WORDS = WordModel("words@1", 10.0, {"a": -1.0, "b": -2.0}, -5.0)


@pytest.fixture(scope="module")
def perplexity() -> Any:
    return load("perplexity", keep_in_memory=True)


class TestNumbers:
    def test_lists_and_lines(self, perplexity: Any) -> None:
        expected = [4.0, 2.0, 1 / math.sqrt(0.1 * 0.7)]
        for rows in (
            NUMBERS,
            [tuple(row) for row in NUMBERS],
            [np.array(row) for row in NUMBERS],
            pa.array(NUMBERS),
            pa.chunked_array([NUMBERS[:2], NUMBERS[2:]]),
            [" ".join(map(str, row)) for row in NUMBERS],
        ):
            found = perplexity.compute(predictions=rows)
            assert found["perplexities"] == pytest.approx(expected, rel=1e-12)
            assert found["mean_perplexity"] == pytest.approx(sum(expected) / 3, rel=1e-12)

    def test_log_probabilities(self, perplexity: Any) -> None:
        logs = [[-1, -3], [-2.0]]
        found = perplexity.compute(predictions=logs, values="log-probabilities", log_base="10")
        assert found == {"perplexities": [100.0, 100.0], "mean_perplexity": 100.0}

    def test_one_by_one_and_in_batches(self, tmp_path: Path) -> None:
        module = load("perplexity", cache_dir=str(tmp_path))
        expected = module.compute(data=NUMBERS)
        for row in NUMBERS[:2]:
            module.add(prediction=row)
        module.add(data=NUMBERS[2])
        assert module.compute() == expected
        module.add_batch(predictions=NUMBERS[:1])
        module.add_batch(data=NUMBERS[1:2])
        assert module.compute(predictions=NUMBERS[2:]) == expected
        module.add_batch(predictions=NUMBERS)
        with pytest.raises(InputError, match="`predictions` are texts, but earlier batches had numbers"):
            module.add_batch(predictions=["0.5"])
        assert module.compute() == expected
        assert not list(tmp_path.rglob("*.arrow"))

    def test_asked_for(self, perplexity: Any) -> None:
        plain = perplexity.compute(predictions=NUMBERS)
        found = perplexity.compute(predictions=NUMBERS, signature=True, per_segment=True, confidence=0.9)
        assert [*found] == ["perplexities", "mean_perplexity", "signature", "segments", "confidence"]
        assert {key: found[key] for key in plain} == plain
        scorer = Scorer.from_signature(found["signature"])
        assert scorer == Perplexity.variant("evaluate")
        assert found["segments"]["perplexity"] == plain["perplexities"]
        assert found["confidence"]["perplexity"]["low"] <= plain["mean_perplexity"]
        assert json.loads(json.dumps(found, allow_nan=False)) == found

    def test_pooled(self) -> None:
        found = load("perplexity", "textbook").compute(predictions=NUMBERS, per_segment=True)
        assert found["perplexity"] == pytest.approx((0.5 * 0.25 * 0.125 * 0.5 * 0.1 * 0.7) ** (-1 / 6), rel=1e-12)
        assert [*found] == ["perplexity", "segments"]
        with_empty = load("perplexity", "textbook").compute(predictions=[*NUMBERS, []])
        assert with_empty == {"perplexity": found["perplexity"]}

    def test_flags_of_tokens(self, perplexity: Any) -> None:
        rows, flags = [[0.5, 0.1], [0.25]], [[1, 0], [1]]
        assert perplexity.compute(predictions=rows, mask=flags)["perplexities"] == [2.0, 4.0]
        other = {"unknown": [[0, 1], [0]], "oov": "exclude"}
        assert perplexity.compute(predictions=rows, **other)["perplexities"] == [2.0, 4.0]
        kenlm = load("perplexity", "kenlm").compute(predictions=rows, unknown=other["unknown"])
        assert kenlm["perplexity"] == pytest.approx(80 ** (1 / 3), rel=1e-6)
        assert kenlm["perplexity_excluding_oovs"] == pytest.approx(8**0.5, rel=1e-6)

    def test_an_impossible_token(self, perplexity: Any) -> None:
        found = perplexity.compute(predictions=[[0.5, 0.0], [0.5]])
        assert found == {"perplexities": [math.inf, 2.0], "mean_perplexity": math.inf}

    def test_combine(self, perplexity: Any) -> None:
        other = load("perplexity", "textbook", keep_in_memory=True)
        both = evaluate.combine({"mean": perplexity, "pooled": other}, force_prefix=True)
        found = both.compute(predictions=NUMBERS, references=["a", "b", "c"])
        assert found["mean_mean_perplexity"] == perplexity.compute(predictions=NUMBERS)["mean_perplexity"]
        assert found["pooled_perplexity"] == other.compute(predictions=NUMBERS)["perplexity"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"predictions": ["the cat"]}, r"`predictions\[0\]`, column 1: 'the' is not a number"),
            ({"predictions": [[0.5], [1.5]]}, r"`predictions\[1\]` has 1.5 at index 0; a probability"),
            ({"predictions": [[0.5], "a"]}, r"`predictions\[1\]` is str 'a'; a list of numbers"),
            ({"predictions": [[0.5], []]}, r"`predictions\[1\]` has no tokens to score"),
            ({"predictions": [[math.nan]]}, r"`predictions\[0\]\[0\]` is nan"),
            ({"predictions": NUMBERS, "data": NUMBERS}, "both `predictions` and `data` are given"),
            ({"predictions": ["a"], "model": WORDS, "model_id": "x"}, "both `model_id` and `model` are given"),
            ({"predictions": NUMBERS, "stride": 5}, "stride need a model_id"),
            ({"predictions": ["a"], "model": WORDS, "batch_size": 5}, "stride need a model_id"),
            ({"predictions": NUMBERS, "model": WORDS}, "`predictions` are numbers; with a `model`, texts"),
            ({"predictions": ["a"], "model": "no/such/file.arpa"}, "there is no file or folder 'no/such/file.arpa'"),
            ({}, "nothing to score; give `predictions`"),
        ],
    )
    def test_bad_input(self, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            load("perplexity", keep_in_memory=True).compute(**arguments)

    def test_unknown_argument(self, perplexity: Any) -> None:
        with pytest.raises(TypeError, match="unknown argument 'lang'"):
            perplexity.compute(predictions=NUMBERS, lang="en")


def test_any_language_model(perplexity: Any) -> None:
    texts = ["a b", "b c"]
    found = perplexity.compute(predictions=texts, model=WORDS, signature=True)
    assert found["perplexities"] == pytest.approx([10**1.5, 10**3.5], rel=1e-12)
    assert "|model=words@1|" in found["signature"]
    left = perplexity.compute(predictions=texts, model=WORDS, oov="exclude")
    assert left["perplexities"] == pytest.approx([10**1.5, 100.0], rel=1e-12)


def test_words_in_place_of_tokens(perplexity: Any) -> None:
    """Two words have three tokens."""

    class Letters(WordModel):
        def tokens(self, text: str) -> list[str]:
            return [*text.replace(" ", "")]

    letters = Letters("letters@1", 2.0, {"a": -1.0, "b": -2.0}, -5.0)
    assert perplexity.compute(predictions=["ab a"], model=letters, per="word")["perplexities"] == [4.0]
    found = load("cross_entropy").compute(predictions=["ab a"], model=letters, per="byte")
    assert found == {"cross_entropy": 1.0}
    assert load("likelihood").compute(predictions=["ab a"], model=letters, per="byte") == {"likelihood": 0.5}


@pytest.mark.parametrize("kind", [None, "metric", "measurement"])
def test_the_hub_has_a_metric_and_a_measurement_of_this_name(kind: str | None) -> None:
    module = evaluate.load(metrologue.module_path("perplexity"), module_type=kind, keep_in_memory=True)
    assert module.compute(data=NUMBERS) == module.compute(predictions=NUMBERS)
    assert pickle.loads(pickle.dumps(module)).module_type == module.module_type == "metric"
    with pytest.raises(TypeError, match="'comparison'"):
        evaluate.load(metrologue.module_path("perplexity"), module_type="comparison")


def test_an_arpa_file(perplexity: Any, tmp_path: Path) -> None:
    pytest.importorskip("metrologue.language_models.arpa", reason="ARPA files cannot be read here")
    path = tmp_path / "words.arpa"
    lines = ["\\data\\", "ngram 1=4", "", "\\1-grams:", "-1\t</s>", "-99\t<s>", "-3\t<unk>", "-0.5\ta", "", "\\end\\"]
    path.write_text("\n".join([*lines, ""]), "utf-8")
    found = perplexity.compute(predictions=["a a", "b"], model=str(path))
    assert found["perplexities"] == pytest.approx([10 ** (2 / 3), 100.0], rel=1e-6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small model like GPT-2."""
    for package in ("torch", "transformers"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'metrologue[transformers]'")
    from small_causal_model import make_model

    return make_model(tmp_path_factory.mktemp("model") / "small")


@pytest.fixture(scope="module")
def hub(hub_modules: Path, folder: Path) -> Callable[..., dict[str, Any]]:
    """``compute`` of the Hub's measurement. Its metric is the same code, with `predictions` for `data`."""
    if not (hub_modules / "perplexity" / "perplexity.py").is_file():
        pytest.skip(f"no perplexity/perplexity.py in {hub_modules}")
    return evaluate.load(str(hub_modules / "perplexity"), keep_in_memory=True).compute  # type: ignore[no-any-return]


def assert_equal(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert [*ours] == [*theirs]
    # The Hub adds up in single precision: its sum has an error of some 1e-7, and a perplexity has as many times that
    # as its logarithm says.
    assert np.log(ours["perplexities"]) == pytest.approx(np.log(theirs["perplexities"]), rel=1e-6)
    assert ours["perplexities"] == pytest.approx(theirs["perplexities"], rel=2e-6)
    assert ours["mean_perplexity"] == pytest.approx(float(theirs["mean_perplexity"]), rel=1e-6)
    assert {type(value) for value in [*ours["perplexities"], ours["mean_perplexity"]]} == {float}
    compared(len(theirs["perplexities"]) + 1)


class TestHub:
    @pytest.mark.parametrize("start_token", [True, False])
    @pytest.mark.parametrize(("batch_size", "max_length"), [(16, None), (1, None), (2, 9), (3, 3)])
    def test_options(
        self,
        batch_size: int,
        max_length: int | None,
        start_token: bool,
        perplexity: Any,
        hub: Callable[..., Any],
        folder: Path,
    ) -> None:
        options = {
            "model_id": str(folder),
            "batch_size": batch_size,
            "add_start_token": start_token,
            "device": "cpu",
            "max_length": max_length,
        }
        theirs = hub(data=TEXTS, **options)
        assert_equal(perplexity.compute(predictions=TEXTS, **options), theirs)
        assert_equal(perplexity.compute(data=TEXTS, **options), theirs)

    @settings(max_examples=8)
    @given(texts=st.lists(st.text(max_size=6), min_size=1, max_size=6), start_token=st.booleans())
    def test_any_text(
        self, perplexity: Any, hub: Callable[..., Any], folder: Path, texts: list[str], start_token: bool
    ) -> None:
        options = {"model_id": str(folder), "add_start_token": start_token}
        try:
            theirs = hub(data=texts, **options)
        except AssertionError:
            with pytest.raises(InputError, match=r"^Perplexity: `predictions\[\d\]` has (no tokens|1 token)"):
                perplexity.compute(data=texts, **options)
        else:
            assert_equal(perplexity.compute(data=texts, **options), theirs)

    def test_one_by_one(self, perplexity: Any, hub: Callable[..., Any], folder: Path) -> None:
        for text in TEXTS:
            perplexity.add(prediction=text)
        assert_equal(perplexity.compute(model_id=str(folder)), hub(data=TEXTS, model_id=str(folder)))

    def test_other_models(self, perplexity: Any, hub: Callable[..., Any], tmp_path: Path) -> None:
        from small_causal_model import make_model

        for kind in ("llama", "bloom"):
            model = str(make_model(tmp_path / kind, kind))
            assert_equal(perplexity.compute(data=TEXTS, model_id=model), hub(data=TEXTS, model_id=model))

    def test_real_text(
        self, perplexity: Any, hub: Callable[..., Any], folder: Path, newstest: tuple[Any, list[str]]
    ) -> None:
        texts, options = newstest[1][:200], {"model_id": str(folder), "max_length": 30}
        assert_equal(perplexity.compute(data=texts, **options), hub(data=texts, **options))

    def test_padding_on_the_left_changes_the_hubs_numbers(
        self, perplexity: Any, hub: Callable[..., Any], tmp_path: Path
    ) -> None:
        """Its start token then stands before the padding, and positions are counted with the padding."""
        from small_causal_model import make_model

        special = {"bos_token": "<s>", "pad_token": "<pad>", "padding_side": "left"}
        model = str(make_model(tmp_path / "left", **special))
        alone = [hub(data=[text], model_id=model)["mean_perplexity"] for text in TEXTS]
        assert hub(data=TEXTS, model_id=model)["perplexities"] != pytest.approx(alone, rel=1e-2)
        assert perplexity.compute(data=TEXTS, model_id=model)["perplexities"] == pytest.approx(alone, rel=1e-6)

    def test_what_the_hub_cannot_score(
        self, perplexity: Any, hub: Callable[..., Any], folder: Path, tmp_path: Path
    ) -> None:
        from small_causal_model import CONTEXT, make_model

        long = {"data": ["x y", "the cat sat on the mat " * 20], "model_id": str(folder)}
        with pytest.raises(IndexError):
            hub(**long)
        with pytest.raises(InputError, match=rf"`predictions\[1\]` has \d+ tokens.*is {CONTEXT}"):
            perplexity.compute(**long)
        found = perplexity.compute(**long, stride=CONTEXT // 2, signature=True)
        assert found["perplexities"][0] == pytest.approx(hub(data=["x y"], model_id=str(folder))["perplexities"][0])
        assert f"+stride-{CONTEXT // 2}|" in found["signature"]
        # A tokenizer that has no token for padding; an old version of transformers lets the Hub's module find one.
        plain = {"data": TEXTS, "model_id": str(make_model(tmp_path / "plain", bos_token="<s>"))}
        with pytest.raises(ValueError, match="does not have a padding token"):
            hub(**plain, batch_size=1)
        one, several = (perplexity.compute(**plain, batch_size=size)["perplexities"] for size in (1, 16))
        assert one == pytest.approx(several, rel=1e-6)


@pytest.fixture
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The paths of the models that are opened."""
    import transformers

    paths = []
    open_one = transformers.AutoModelForCausalLM.from_pretrained

    def noted(path: Any, **options: Any) -> Any:
        paths.append(path)
        return open_one(path, **options)

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", noted)
    return paths


@pytest.mark.parametrize("argument", ["model", "model_id"])
def test_a_model_is_opened_once_for_a_module(argument: str, folder: Path, opened: list[Any]) -> None:
    texts, given = TEXTS[:2], {argument: str(folder)}
    module = load("perplexity", keep_in_memory=True)
    expected = module.compute(predictions=texts, **given)
    assert module.compute(predictions=texts, **given) == expected
    assert module.compute(predictions=texts, **given, scale=2.0)["mean_perplexity"] > expected["mean_perplexity"]
    assert len(opened) == 1
    module = load("perplexity", **given, keep_in_memory=True)
    for _ in range(2):
        assert module.compute(predictions=texts) == expected
    assert len(opened) == 2
    module.compute(predictions=texts, per="byte")
    assert len(opened) == 2
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):  # which opens its own
        assert other.compute(predictions=texts) == expected == other.compute(predictions=texts)
    assert len(opened) == 4


def test_a_loaded_model(folder: Path, opened: list[Any]) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    expected = load("perplexity", keep_in_memory=True).compute(predictions=TEXTS, model_id=str(folder))
    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    model.train()
    opened.clear()
    for module, options in (
        (load("perplexity", keep_in_memory=True), {"model_id": (model, tokenizer), "device": "cpu"}),
        (load("perplexity", keep_in_memory=True), {"model": (model, tokenizer)}),
        (load("perplexity", model_id=(model, tokenizer), keep_in_memory=True), {}),
        (load("perplexity", model=(model, tokenizer), keep_in_memory=True), {}),
    ):
        assert module.compute(predictions=TEXTS, **options) == expected
        assert module.compute(predictions=TEXTS, **options) == expected
    assert not opened
    assert model.training
    assert module.compute(predictions=TEXTS, signature=True)["signature"].count("|model=small@") == 1
    with torch.no_grad():
        model.transformer.wte.weight.mul_(2)  # as training changes it
    after = module.compute(predictions=TEXTS)
    assert after["perplexities"] != pytest.approx(expected["perplexities"], rel=1e-3)
    model.save_pretrained(folder.parent / "doubled")
    tokenizer.save_pretrained(folder.parent / "doubled")
    doubled = load("perplexity", keep_in_memory=True).compute(predictions=TEXTS, model_id=folder.parent / "doubled")
    assert after == doubled
    for wrong, message in (
        (model, "a GPT2LMHeadModel has no tokenizer with it"),
        ((tokenizer, model), r"in this order: \(model, tokenizer\)"),
    ):
        with pytest.raises(InputError, match=message):
            load("perplexity", keep_in_memory=True).compute(predictions=TEXTS, model_id=wrong)


def test_options_of_a_model_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner
    from small_causal_model import CONTEXT

    from metrologue.cli import main
    from metrologue.language_models.causal import CausalModel

    def run(*options: str) -> Any:
        return CliRunner().invoke(main, ["score", "cross_entropy", "--model", str(folder), "-p", str(path), *options])

    path = tmp_path / "long.txt"
    path.write_text("the cat sat on the mat " * 20 + "\n", "utf-8")
    assert "Give --stride to score such a text in windows" in run().stderr
    for name, value in (("stride", CONTEXT // 2), ("max_length", 9)):
        model = CausalModel(folder, **{name: value})
        found = run(f"--{name.replace('_', '-')}", str(value), "--batch-size", "2", "--format", "json")
        expected = metrologue.score("cross_entropy", path.read_text("utf-8").splitlines(), model=model)
        assert json.loads(found.stdout)["signature"] == expected.signature
        assert json.loads(found.stdout)["systems"][0]["value"] == pytest.approx(expected.value, rel=1e-6)
    cut = run("--max-length", "9", "--set", "per=byte")
    assert "--set per is 'byte', but --max-length cuts texts off; give the model a --stride too." in cut.stderr
    assert run("--max-length", "9", "--stride", "3", "--set", "per=byte").exit_code == 0
