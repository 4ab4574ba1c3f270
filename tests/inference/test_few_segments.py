"""Below 30 segments the bootstrap is rough: it says so once a call, at every face, and names the other test."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.comparison.showing import sentences
from metrologue.inference import (
    FewSegmentsWarning,
    confidence_interval,
    confidence_intervals,
    paired_test,
    pairwise_tests,
    significance_groups,
    winners,
)
from metrologue.inference.resampling import FEW, few_segments
from metrologue.scorers import Bleu, DistinctN, SelfBleu, WordErrorRate
from metrologue.segments import Segments

WER = WordErrorRate()


class Given:
    """So many segments of three systems."""

    def __init__(self, folder: Path, count: int) -> None:
        self.references = [f"a b c {i}" for i in range(count)]
        self.systems = {
            "first": [f"a x c {i}" for i in range(count)],
            "second": [f"a b c {i * (i % 3)}" for i in range(count)],
            "third": [f"a b {i * (i % 2)}" for i in range(count)],
        }
        self.folder = folder
        for name, lines in {**self.systems, "references": self.references}.items():
            (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def segments(self) -> dict[str, Segments]:
        return {name: Segments(texts, self.references) for name, texts in self.systems.items()}

    def command(self, *arguments: str, systems: int = 3) -> Result:
        files = [part for name in [*self.systems][:systems] for part in ("-p", str(self.folder / name))]
        result = CliRunner().invoke(main, [*arguments, *files, "-r", str(self.folder / "references")])
        assert result.exit_code == 0, result.output
        return result

    def module(self, name: str) -> Any:
        first, second, _ = self.systems.values()
        texts = {"predictions1": first, "predictions2": second, "references": self.references}
        return metrologue.load(name).compute(**texts, metric="wer")


Face = Callable[[Given], Any]
BOOTSTRAPS: dict[str, Face] = {
    "confidence_interval": lambda given: confidence_interval(WER, given.segments()["first"]),
    "confidence_intervals": lambda given: confidence_intervals(Bleu(), given.segments()["first"]),
    "rows": lambda given: confidence_intervals(WER, WER.statistics(given.segments()["first"])),
    "pseudo-values": lambda given: confidence_intervals(DistinctN(), given.segments()["first"]),
    "corpus": lambda given: Bleu().corpus(given.systems["first"], given.references, confidence=0.9),
    "score": lambda given: metrologue.score("bleu", given.systems["first"], given.references, confidence=0.95),
    "module": lambda given: metrologue.load("wer").compute(
        predictions=given.systems["first"], references=given.references, confidence=0.95
    ),
    "paired_test": lambda given: paired_test(WER, "first", given.segments()),
    "pairwise_tests": lambda given: pairwise_tests(WER, given.segments()),
    "significance_groups": lambda given: significance_groups(WER, given.segments()),
    "winners": lambda given: winners({"wer": WER, "bleu": Bleu()}, given.segments()),
    "paired_bootstrap": lambda given: given.module("paired_bootstrap"),
    "compare": lambda given: metrologue.compare(given.systems, given.references, "bleu", [], ["nltk", "sacrebleu"]),
    "command": lambda given: given.command("score", "bleu", "wer", "--confidence"),
    "command, test": lambda given: given.command("score", "bleu", "wer", "--paired-bs"),
    "command, both": lambda given: given.command("score", "bleu", "wer", "--paired-ar", "--confidence"),
    "compare command": lambda given: given.command(
        "compare", "--metric=bleu", "--metric=wer", "--library=jiwer", "--variant=nltk", "--variant=jiwer"
    ),
}
OTHERS: dict[str, Face] = {
    "randomization": lambda given: paired_test(WER, "first", given.segments(), method="randomization"),
    "approximate_randomization": lambda given: given.module("approximate_randomization"),
    "command": lambda given: given.command("score", "bleu", "--paired-ar"),
    "no interval": lambda given: given.command("score", "bleu"),
    "compare": lambda given: metrologue.compare(given.systems, given.references, "wer", [], confidence=None),
}


def told(face: Face, given: Given) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        face(given)
    return [each for each in caught if issubclass(each.category, FewSegmentsWarning)]


@pytest.mark.parametrize("face", BOOTSTRAPS.values(), ids=BOOTSTRAPS)
def test_the_bootstrap_warns_once_a_call(face: Face, tmp_path: Path) -> None:
    [warning] = told(face, Given(tmp_path, FEW - 1))
    assert str(warning.message) == few_segments(29)
    assert "29 segments are few" in str(warning.message)
    assert "approximate randomization" in str(warning.message)
    assert not told(face, Given(tmp_path, FEW))


@pytest.mark.parametrize("face", OTHERS.values(), ids=OTHERS)
def test_randomization_and_scores_alone_do_not_warn(face: Face, tmp_path: Path) -> None:
    assert not told(face, Given(tmp_path, 5))


def test_the_warning_is_at_the_line_that_asked(tmp_path: Path) -> None:
    for face in (BOOTSTRAPS["score"], BOOTSTRAPS["paired_test"], BOOTSTRAPS["compare"]):
        [warning] = told(face, Given(tmp_path, 3))
        assert warning.filename == __file__


def test_one_limit_for_all() -> None:
    assert sentences.FEW == FEW


def test_segments_that_a_metric_leaves_out_do_not_count(tmp_path: Path) -> None:
    texts = Segments(Given(tmp_path, 60).systems["second"])
    assert confidence_interval(SelfBleu(sample=40), texts).segments == 40
    with pytest.warns(FewSegmentsWarning, match="20 segments are few"):
        confidence_interval(SelfBleu(sample=20), texts)


@pytest.mark.filterwarnings("default")
def test_a_command_says_it_on_standard_error_and_in_json(tmp_path: Path) -> None:
    given = Given(tmp_path, 9)
    for options in (["--confidence"], ["--paired-bs"]):
        [system, *_] = json.loads(given.command("score", "wer", "--json", *options).stdout)["systems"]
        assert system["few_segments"] == few_segments(9)
        assert system["confidence"]["segments"] == 9
    [_, system, *_] = json.loads(given.command("score", "wer", "--json", "--paired-ar").stdout)["systems"]
    assert "few_segments" not in system
    assert system["paired_test"]["segments"] == 9
    [system, *_] = json.loads(Given(tmp_path, 30).command("score", "wer", "--json", "--confidence").stdout)["systems"]
    assert "few_segments" not in system


def test_a_table_is_as_before(tmp_path: Path) -> None:
    """Standard output has the note that it had; the new line is on standard error."""
    lines = Given(tmp_path, 9).command("score", "wer", "--confidence").stdout.splitlines()
    assert lines[0].split() == ["system", "wer"]
    assert lines[-2:] == [
        "only 9 segments: all intervals and p-values are rough",
        "±: half of the 0.95 interval, level=0.95|resamples=1000|seed=12345|method=percentile|draws=splitmix64",
    ]
    assert not any("are few" in line for line in lines)


def test_a_notebook_has_a_note_where_the_number_is(tmp_path: Path) -> None:
    given = Given(tmp_path, 9)
    note, enough = "9 segments are few", Given(tmp_path, 30)
    assert note in metrologue.score("wer", given.systems["first"], given.references, confidence=0.95)._repr_html_()
    assert note not in metrologue.score("wer", given.systems["first"], given.references)._repr_html_()
    assert note in paired_test(WER, "first", given.segments())._repr_html_()
    assert note not in paired_test(WER, "first", given.segments(), method="randomization")._repr_html_()
    assert "are few" not in paired_test(WER, "first", enough.segments())._repr_html_()
