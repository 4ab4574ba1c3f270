"""Examples, leak reports, and what is reached on texts that are held out."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from metrologue import InputError
from metrologue.cli import main
from metrologue.learned import Examples, Features, NgramEncoder, Ridge, held_out, leak_report, open_model, read_examples
from metrologue.learned import train as trained
from metrologue.learned.measuring import folds
from metrologue.learned.rivals import rival_scores
from metrologue.learned.store import SAMPLE
from metrologue.meta import Judgements, Ratings

LINE = {"prediction": "a cat", "references": ["one cat"], "rating": 0.5}


def written(folder: Path, *lines: dict[str, object]) -> Path:
    path = folder / "rated.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{**LINE, "rating": "good"}], r"rated.jsonl:1: 'rating' is 'good'; a number is expected"),
        ([LINE, {**LINE, "rating": True}], r"rated.jsonl:2: 'rating' is True; a number is expected"),
        ([{"prediction": "a", "references": "b", "label": 2}], r"'label' is 2; 0 or 1 is expected"),
        ([{"prediction": "a", "rating": 1}], r"rated.jsonl:1: no 'references'"),
        ([{"references": "a", "rating": 1}], r"rated.jsonl:1: no 'prediction'"),
        ([{**LINE, "group": "x"}, LINE], r"rated.jsonl:2: no 'group', but other lines have one"),
        ([], "the file is empty"),
    ],
)
def test_lines_that_are_refused(lines: list[dict[str, object]], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_examples(written(tmp_path, *lines))


def test_labels_and_groups(tmp_path: Path) -> None:
    line = {"prediction": "a", "references": "b", "label": 1, "group": "g", "system": "s", "context": "c"}
    found = read_examples(written(tmp_path, line, {**line, "label": False}))
    assert (found.labels, found.targets.tolist()) == (True, [1.0, 0.0])
    assert (found.groups, found.systems, found.contexts) == (("g", "g"), ("s", "s"), ("c", "c"))


def examples(ratings: list[float], references: list[str], **parts: object) -> Examples:
    texts = tuple(f"text {row}" for row in range(len(ratings)))
    return Examples(texts, tuple((each,) for each in references), np.array(ratings), **parts)  # type: ignore[arg-type]  # names


def test_what_cannot_be_learned_from() -> None:
    with pytest.raises(InputError, match=r"`targets\[1\]` is 9, and 1 more; the range is 1 to 5"):
        examples([1, 9, 8], ["a", "b", "c"]).check_range(1, 5)
    for labels, what in ((False, "ratings are 1"), (True, "labels are 1; .* examples of both classes")):
        with pytest.raises(InputError, match=rf"all 3 {what}"):
            examples([1, 1, 1], ["a", "b", "c"], labels=labels).check_varied()
    with pytest.raises(InputError, match=r"`targets\[0\]` is 3; a label, 0 or 1, is expected"):
        examples([3, 1], ["a", "b"], labels=True)
    with pytest.raises(InputError, match="nothing can be held out"):
        folds(examples([1, 2], ["a", "a"]))
    with pytest.raises(InputError, match="factcc takes no metrics"):
        trained("factcc", read_examples(SAMPLE), scores=["chrf"])
    with pytest.raises(InputError, match=r"composite reads the scores of other metrics, .*; give encoders or metrics"):
        trained("composite", read_examples(SAMPLE))
    with pytest.raises(InputError, match="'bleu' is not trained"):
        trained("bleu", read_examples(SAMPLE))
    with pytest.raises(InputError, match="is given twice"):
        trained("composite", read_examples(SAMPLE), encoders=["ngrams-8@1", NgramEncoder(8, 1)])


def test_a_test_that_overlaps_the_training_is_refused() -> None:
    every = read_examples(SAMPLE)
    with pytest.raises(InputError, match="3 of 11 rows for the test are in the training data too"):
        trained("composite", every.take(range(40)), encoders=["ngrams-8@1"], test=every.take(range(37, 48)))
    model = trained("composite", every.take(range(40)), encoders=["ngrams-8@1"], test=every.take(range(40, 64)))
    assert [*model.report["held_out"]["compared"]["pearson"]["learned"]["parts"]] == ["test"]


def test_rows_that_share_a_reference_are_left_out() -> None:
    """Two groups have a reference in common: when one is held out, the other's row with it is not trained on."""
    draws = np.random.default_rng(0)
    references = ["shared", *map(str, range(9)), "shared", *map(str, range(10, 19))]
    rated = examples(draws.normal(size=20).tolist(), references, groups=("a",) * 10 + ("b",) * 10)
    seen: list[int] = []

    class Counting(Ridge):
        def fit(self, features: np.ndarray, *given: object, **run: object) -> object:  # type: ignore[override]  # counts
            seen.append(len(features))
            return super().fit(features, *given, **run)  # type: ignore[arg-type]  # as it was called

    found = held_out(Counting(), Features.of(encoders=["ngrams-16@2"]), rated)
    assert seen == [9, 9]
    assert found.dropped == {"a": 1, "b": 1}
    assert all(each.references == each.rows == 0 for each in found.leaks.values())
    assert not np.isnan(found.scores).any()


def test_leaks_are_counted() -> None:
    one = examples([1, 2, 3], ["a", "b", "c"], systems=("x", "y", "z"), contexts=("p", "q", "r"))
    other = examples([1, 2, 3], ["a", "x", "b"], systems=("x", "x", "new"), contexts=("p", "new", "new"))
    found = leak_report(one, other)
    assert (found.rows, found.references, found.systems, found.contexts) == (1, 2, 2, 1)
    assert found.told()[1] == "1 row of the test part were trained on."


def test_the_rival_is_the_best_one_on_the_training_part() -> None:
    """Ratings that are the length: the rival is the length, and a model of vectors does not beat it."""
    draws = np.random.default_rng(3)
    references = tuple((" ".join(draws.choice(["a", "b", "c", "d"], 9)),) for _ in range(60))
    texts = tuple(" ".join(draws.choice(["a", "b", "c", "d"], size)) for size in draws.integers(1, 10, 60))
    rated = Examples(texts, references, np.array([float(len(text.split())) for text in texts]))
    features = Features.of(encoders=["ngrams-32@1"])
    found = held_out(Ridge(), features, rated)
    assert {*found.rivals.values()} == {"length"}
    assert not found.beats_rival
    assert found.compared["pearson"].rival.mean > 0.9
    assert {*rival_scores(rated, features)} == {
        "length", "word overlap", "recall of names and numbers", "cosine of ngrams-32@1",
    }  # fmt: skip


def test_auc_is_that_of_its_definition() -> None:
    draws = np.random.default_rng(4)
    every = read_examples(SAMPLE)
    labelled = Examples(every.predictions, every.references, (every.targets > 0.5) * 1.0, every.groups, labels=True)
    found = held_out(Ridge(), Features.of(encoders=["ngrams-64@3"]), labelled, seed=int(draws.integers(9)))
    parts = folds(labelled, int(np.random.default_rng(4).integers(9)))
    for name, rows in parts.items():
        own, labels = found.scores[rows], labelled.targets[rows]
        wins = [(a > b) + (a == b) / 2 for a in own[labels == 1] for b in own[labels == 0]]
        assert found.compared["auc"].learned.parts[name] == pytest.approx(np.mean(wins))


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner()
    out, texts = tmp_path / "model", tmp_path / "hyp.txt"
    texts.write_text("a cat sat\n", "utf-8")
    options = ["train", "composite", "--data", str(SAMPLE), "--encoder", "ngrams-64@3", "--out", str(out)]
    told = run.invoke(main, options)
    assert told.exit_code == 0, told.output
    assert "Pearson's r on texts that were held out: 0.773; the rival (cosine of ngrams-64@3)" in told.output
    assert "It does not beat its trivial rival: use the rival." in told.output
    assert sorted(each.name for each in out.iterdir()) == ["README.md", "model.json", "model.safetensors"]
    assert "**It does not beat its trivial rival" in (out / "README.md").read_text("utf-8")
    scored = run.invoke(main, ["score", "composite", "--model", str(out), "-p", str(texts), "-r", str(texts)])
    assert scored.exit_code == 0, scored.output
    assert f"model={open_model(out).name}" in scored.output
    assert "is not empty; give the name of a new one" in run.invoke(main, options).output
    assert "the range is 0.5 to 1" in run.invoke(main, [*options[:-1], str(tmp_path / "x"), "--scale", "0.5:1"]).output
    assert not (tmp_path / "x").exists()
    refused = run.invoke(main, [*options[:-1], str(tmp_path / "x"), "--trainer", "forest"])
    assert "'forest' is unknown; there are ridge" in refused.output
    refused = run.invoke(main, [*options[:-1], str(tmp_path / "x"), "--hidden", "9"])
    assert "--hidden is for networks; the trainer is ridge" in refused.output


def test_the_command_trains_the_papers_network_and_goes_on(tmp_path: Path, ended_when: Any) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    options = ["train", "composite", "--data", str(SAMPLE), "--encoder", "ngrams-16@2", "--trainer", "mlp"]
    options += ["--hidden", "8,8", "--epochs", "3", "--test"]
    tests = written(tmp_path, {**LINE, "rating": 0.1}, {**LINE, "prediction": "one"}, {**LINE, "prediction": "cat"})
    run, whole, out = CliRunner(), tmp_path / "whole", tmp_path / "model"
    assert run.invoke(main, [*options, str(tests), "--out", str(whole)]).exit_code == 0
    with ended_when(lambda run, path: run.epoch == 2):
        run.invoke(main, [*options, str(tests), "--out", str(out)])
    assert {each.name for each in out.iterdir()} == {"training.data", "training.measured", "training.safetensors"}
    assert "--resume goes on with it" in run.invoke(main, [*options, str(tests), "--out", str(out)]).output
    again = run.invoke(main, [*options, str(tests), "--out", str(out), "--resume"])
    assert again.exit_code == 0, again.output
    assert open_model(out).name == open_model(whole).name
    assert not [*out.glob("training.*")]


def test_parts_that_are_done_are_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that is ended while a part is held out goes on with that part, and ends with the same figures."""
    options = ["train", "composite", "--data", str(SAMPLE), "--encoder", "ngrams-16@2"]
    run, whole, out = CliRunner(), tmp_path / "whole", tmp_path / "model"
    own, calls, ends = Ridge.fit, [], [0]

    def counted(*arguments: Any, **given: Any) -> Any:
        calls.append(arguments)
        if len(calls) == ends[0]:
            raise KeyboardInterrupt
        return own(*arguments, **given)

    def command(folder: Path, *others: str, until: int = 0) -> Any:
        calls[:], ends[:] = [], [until]
        return run.invoke(main, [*options, *others, "--out", str(folder)])

    monkeypatch.setattr(Ridge, "fit", counted)
    assert command(whole).exit_code == 0
    parts = len(calls)
    command(out, until=4)
    assert {each.name for each in out.iterdir()} == {"training.data", "training.measured"}
    assert "--resume goes on with it" in command(out).output
    assert "is of another measuring" in command(out, "--resume", "--encoder", "ngrams-8@2").output
    again = command(out, "--resume")
    assert again.exit_code == 0, again.output
    assert len(calls) == parts - 3
    assert (out / "README.md").read_text("utf-8") == (whole / "README.md").read_text("utf-8")
    assert {each.name for each in out.iterdir()} == {each.name for each in whole.iterdir()}


def test_examples_of_judgements() -> None:
    """Texts that nobody rated are left out, with their groups; several texts of a segment are a group."""
    ratings = {"adequacy": Ratings(np.array([[1.0, 3.0], [np.nan, np.nan], [4.0, np.nan]]), ("one", "two"))}
    texts: dict[str, Any] = {"segments": ("s", "s", "t"), "hypotheses": ("a", "b", "c"), "ratings": ratings}
    references = (("x",), ("y",), ("z", "zz"))
    found = Examples.of_judgements(Judgements(**texts, references=references))
    assert (found.predictions, found.references) == (("a", "c"), (("x",), ("z", "zz")))
    assert found.targets is not None
    assert (found.targets.tolist(), found.groups) == ([2.0, 4.0], None)
    grouped = Examples.of_judgements(Judgements(**texts, references=references), groups=("one", "two", "one"))
    assert grouped.groups == ("one", "one")
    ratings["adequacy"] = Ratings(np.array([[1.0], [2.0], [4.0]]), ("one",))
    assert Examples.of_judgements(Judgements(**texts, references=references)).groups == ("s", "s", "t")
    with pytest.raises(InputError, match="these data have no references"):
        Examples.of_judgements(Judgements(**texts))
    both = {**texts, "ratings": {**ratings, "fluency": ratings["adequacy"]}}
    with pytest.raises(InputError, match="there are the qualities adequacy, fluency; choose one"):
        Examples.of_judgements(Judgements(**both, references=references))
    assert len(Examples.of_judgements(Judgements(**both, references=references), "fluency").predictions) == 3


def test_a_training_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    """Not even the digest of the data, with which there is nothing to go on."""
    options = ["train", "composite", "--data", str(SAMPLE), "--out", str(tmp_path / "model")]
    done = CliRunner().invoke(main, [*options, "--encoder", str(tmp_path / "nothing")])
    assert done.exit_code == 2, done.output
    assert not (tmp_path / "model").exists()


def test_there_are_a_thousand_resamples_unless_the_user_says_otherwise() -> None:
    assert signature(held_out).parameters["resamples"].default == 1000
