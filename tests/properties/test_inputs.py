"""Inputs are declared: a metric with a third text works wherever texts and references do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from layouts import columns_of, other_row, rows_of
from small_metric import small_metric

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.integrations.datasets import totals
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.inputs import Input, groups, number_rows, segments_of, sets, texts, turns

SOURCES = ["the cat sat on the mat", "a dog", "one two three"]
PREDICTIONS = ["the cat sat", "a dog", "three"]
OTHERS = ["the mat", "dog", "two three"]
TARGETS = [["the cat sat", "a cat"], ["a dog"], ["two"]]


@pytest.fixture(autouse=True)
def kept() -> Iterator[type[Scorer]]:
    with small_metric("kept_here") as kind:
        yield kind


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("src", SOURCES), ("hyp", PREDICTIONS), ("other", OTHERS)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "ref.jsonl").write_text("".join(json.dumps(line) + "\n" for line in TARGETS))
    (tmp_path / "all.jsonl").write_text("".join(json.dumps({"source": line}) + "\n" for line in SOURCES))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_every_metric_declares_predictions_first() -> None:
    for name in list_scorers():
        first, *others = get_scorer(name).inputs
        assert (first.name, first.required, first.many) == ("predictions", True, False), name
        assert all(each.about for each in others), name


def test_columns_are_those_that_a_metric_takes() -> None:
    """A definition in plain Python has a parameter for each; one without references is given none."""
    for name in list_scorers():
        kind = get_scorer(name)
        required = {each.name for each in kind.inputs if each.required or each.name == "references"}
        assert {*columns_of(name, ["a"], [["a"]])} == required, name


def test_python(kept: type[Scorer]) -> None:
    whole = metrologue.score("kept_here", PREDICTIONS, TARGETS, sources=SOURCES)
    assert whole.scores == {"kept": 7 / 11, "kept_count": 7, "source_count": 11}
    parts = kept().accumulate(PREDICTIONS[:1], TARGETS[:1], sources=SOURCES[:1])
    parts = kept().accumulate(PREDICTIONS[1:], TARGETS[1:], sources=SOURCES[1:], totals=parts)
    assert kept().score_totals(parts).value == whole.value
    remarks = [["good", "so"], [], ["no"]]
    with_remarks = kept().segments(PREDICTIONS, TARGETS, sources=pa.array(SOURCES), remarks=remarks)
    assert with_remarks.tolist() == [4 / 6, 1.0, 1 / 3]
    gap = metrologue.explain("kept_here", "kept_here:lowercase", ["The cat"], ["a"], sources=["the cat"])
    assert [part.share for part in gap.contributions] == [0.5]
    assert "kept" in metrologue.trace("kept_here", PREDICTIONS[0], TARGETS[0], sources=SOURCES[0]).text()


def test_a_comparison_has_sources() -> None:
    systems = {"one": PREDICTIONS, "other": OTHERS}
    found = metrologue.compare(systems, TARGETS, "kept_here", sources=SOURCES)
    numbers = {(number.system, number.name): number.value for number in found.numbers}
    assert numbers == {
        (system, name): metrologue.score("kept_here", texts, TARGETS, variant=name, sources=SOURCES).value
        for system, texts in systems.items()
        for name in ("metrologue", "lowercase")
    }
    gap = metrologue.explain("kept_here", "metrologue", "lowercase", PREDICTIONS, TARGETS, sources=SOURCES)
    assert gap == metrologue.explain(
        "kept_here:metrologue", "kept_here:lowercase", PREDICTIONS, TARGETS, sources=SOURCES
    )
    shown = metrologue.trace("kept_here", PREDICTIONS, TARGETS, segment=1, sources=SOURCES)
    assert shown.to_dict() == metrologue.trace("kept_here", PREDICTIONS[1], TARGETS[1], sources=SOURCES[1]).to_dict()
    with pytest.raises(InputError, match="no argument or input 'source'; did you mean 'sources'"):
        metrologue.compare(systems, TARGETS, "kept_here", source=SOURCES)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Kept: `sources` are missing; the text before it was shortened"),
        ({"sources": SOURCES[:2]}, "3 predictions but 2 sources; each prediction needs its sources"),
        ({"sources": [*SOURCES[:2], 3]}, r"`sources\[2\]` is int 3; a str is expected"),
        ({"sources": [["a"], ["b"], ["c"]]}, r"`sources\[0\]` is list \['a'\]; a str is expected"),
        ({"source": SOURCES}, "no input 'source'; did you mean 'sources'"),
        ({"sources": SOURCES, "remarks": [1, 2, 3]}, r"`remarks\[0\]` is int 1; a str is expected"),
    ],
)
def test_what_is_refused(kept: type[Scorer], given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kept().corpus(PREDICTIONS, TARGETS, **given)


@pytest.mark.parametrize("sources", [["--sources", "src"], ["--sources", "all.jsonl", "--source-key", "source"]])
def test_the_command_line(files: Path, sources: list[str]) -> None:
    texts = ["-p", "hyp", "-r", "ref.jsonl", *sources]
    scored = run("score", "kept_here", *texts, "-p", "other", "--format", "json")
    assert [each["value"] for each in json.loads(scored.stdout)["systems"]] == [7 / 11, 6 / 11]
    assert "kept" in run("trace", "kept_here", *texts, "--segment", "1").stdout
    assert run("score", "kept_here", *texts, "--per-segment").stdout.splitlines()[1].split("\t")[2] == repr(4 / 6)
    assert run("explain", "kept_here", "metrologue", "lowercase", *texts).exit_code == 0
    compared = run("compare", "--metric", "kept_here", "--no-live", *texts, "-p", "other", "--format", "json")
    assert compared.exit_code == 0, compared.output
    values = {(each["system"], each["value"]) for each in json.loads(compared.stdout)["numbers"]}
    assert values >= {("hyp", 7 / 11), ("other", 6 / 11)}


@pytest.mark.parametrize(("key", "given"), [("source", []), ("sources", []), ("id", ["--sources", "src"])])
def test_ratings_of_people(files: Path, key: str, given: list[str]) -> None:
    columns = zip(PREDICTIONS, TARGETS, SOURCES, [3, 4, 1], strict=True)
    lines = [{"hypothesis": p, "references": r, key: s, "ratings": {"good": v}} for p, r, s, v in columns]
    (files / "rated.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    common = ["meta", "--data", "rated.jsonl", "-m", "kept_here", "--correlation", "spearman", "--no-confidence"]
    found = run(*common, *given, "--format", "json")
    assert found.exit_code == 0, found.output
    assert '"value": 1.0' in found.stdout or '"coefficient": 1.0' in found.stdout, found.stdout
    if given:
        assert "`sources` are missing" in run(*common).output


def test_the_command_line_refuses(files: Path) -> None:
    missing = run("score", "kept_here", "-p", "hyp", "-r", "ref.jsonl")
    assert (missing.exit_code, "kept_here needs --sources FILE" in missing.output) == (2, True)
    (files / "short").write_text("a\n")
    short = run("score", "kept_here", "-p", "hyp", "-r", "ref.jsonl", "--sources", "short")
    assert "hyp has 3 lines but short has 1" in short.output
    foreign = run("score", "bleu", "-p", "hyp", "-r", "ref.jsonl", "--sources", "src")
    assert "bleu reads no sources; leave out --sources" in foreign.output
    assert "--sources FILE" in run("score", "--help-all").output


def test_weights_from_a_file(files: Path) -> None:
    """Numbers are read as the scorer takes them."""
    (files / "weights").write_text("1\n0.5\n2\n")
    (files / "mask").write_text("1 0\n1\n0 1\n")
    (files / "numbers.jsonl").write_text('"0.5 0.25"\n"0.5"\n"0.125 1"\n')
    scored = run("score", "accuracy", "-p", "hyp", "-r", "hyp", "--sample-weight", "weights", "--format", "json")
    assert json.loads(scored.stdout)["systems"][0]["value"] == 1.0
    (files / "weights").write_text("1\nmany\n2\n")
    refused = run("score", "accuracy", "-p", "hyp", "-r", "hyp", "--sample-weight", "weights")
    assert "weights:2: 'many'; numbers are expected" in refused.output


def test_a_module(kept: type[Scorer], tmp_path: Path) -> None:
    """Sources are a column; what is optional is given to compute, for all segments."""
    evaluate = pytest.importorskip("evaluate")
    from metrologue.bridge import MetricModule

    class Kept(MetricModule, evaluate.Metric):  # type: ignore[misc, name-defined]  # it has no types
        """Words that are kept."""

        metric = "kept_here"
        default_variant = "metrologue"

    module = Kept(cache_dir=str(tmp_path))
    texts = {"predictions": PREDICTIONS, "references": TARGETS, "sources": SOURCES}
    assert module.compute(**texts) == {"kept": 7 / 11}
    assert module.compute(**texts, remarks=[[], ["so"], []]) == {"kept": 7 / 11}
    module.add_batch(**{name: column[:2] for name, column in texts.items()})
    module.add(prediction=PREDICTIONS[2], reference=TARGETS[2], source=SOURCES[2])
    assert module.compute(per_segment=True)["segments"]["kept"] == [4 / 6, 1.0, 1 / 3]
    assert "sources: list of texts; the text before it was shortened" in module.inputs_description
    with pytest.raises(InputError, match="Kept: `sources` are missing; the text before it was shortened"):
        module.compute(predictions=PREDICTIONS, references=TARGETS)
    with pytest.raises(TypeError, match="unknown argument 'source'"):
        module.compute(predictions=PREDICTIONS, references=TARGETS, source=SOURCES)


def test_tests_of_all_metrics_have_what_a_metric_requires(kept: type[Scorer]) -> None:
    columns = columns_of("kept_here", PREDICTIONS, TARGETS)
    assert [*columns] == ["predictions", "references", "sources"]
    assert not {*columns["sources"]} & {*PREDICTIONS, *(text for own in TARGETS for text in own)}
    assert rows_of(columns, 1, 3) == columns_of("kept_here", PREDICTIONS[1:], TARGETS[1:])
    assert kept().segments(**columns)[1] == 1.0
    assert columns_of("kept_here", PREDICTIONS)["sources"][1] == "a dog a dog"
    assert columns_of("bleu", PREDICTIONS, TARGETS) == {"predictions": PREDICTIONS, "references": TARGETS}


@pytest.mark.parametrize(
    "declared",
    [
        texts("others"),
        texts("others", many=True),
        groups("others"),
        turns("others"),
        turns("others", lists=False),
        sets("others"),
        sets("others", many=True),
        number_rows("others"),
        number_rows("others", or_texts=True),
    ],
)
def test_tests_of_all_metrics_have_every_kind_of_input(declared: Input) -> None:
    for rows in (TARGETS, PREDICTIONS, ["", "a"], [["", "b"], ["c"]]):
        given = {"predictions": PREDICTIONS[: len(rows)], "others": [other_row(declared, row) for row in rows]}
        assert len(segments_of((texts("predictions"), declared), given, "Test").columns["others"]) == len(rows)


def test_there_is_no_matrix(kept: type[Scorer]) -> None:
    """A matrix has hypotheses and references only."""
    with pytest.raises(InputError, match=r"Kept\.pairwise: `sources` are missing; the text before it was shortened"):
        kept().pairwise(PREDICTIONS, SOURCES)


def test_data_sets(kept: type[Scorer]) -> None:
    datasets = pytest.importorskip("datasets")
    table = datasets.Dataset.from_dict({"p": PREDICTIONS, "r": TARGETS, "s": SOURCES})
    found = totals(kept(), table, "p", "r", sources="s", batch_size=2)
    assert kept().score_totals(found).value == 7 / 11
