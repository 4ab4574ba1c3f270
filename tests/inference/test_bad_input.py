"""Bad input at every face: Python, the modules of evaluate, the comparisons, the command line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.inference import confidence_interval, paired_test, significance_groups, winners
from metrologue.scorers import Bleu, EditDistance, Scorer, WordErrorRate, get_scorer
from metrologue.segments import Segments

WER = WordErrorRate()
FIRST = ["a b c", "d e", "f g", "h i j"]
SECOND = ["a b x", "d e", "f x", "h i j"]
REFERENCES = ["a b c", "d x", "f g", "h i k"]
COMPARISONS = ("paired_bootstrap", "approximate_randomization")


class Given:
    """The texts of two systems, as each face takes them; options by their names in Python."""

    def __init__(self, folder: Path, first: list[str], second: list[str], references: list[str]) -> None:
        self.texts, self.folder = (first, second, references), folder
        for name, lines in zip(("first.txt", "second.txt", "ref.txt"), self.texts, strict=True):
            (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def segments(self, second: bool = False) -> Segments:
        return Segments(self.texts[int(second)], self.texts[2][: len(self.texts[int(second)])])

    @property
    def systems(self) -> dict[str, Any]:
        return {"first": self.segments(), "second": self.segments(second=True)}

    def command(self, *arguments: str, systems: int = 2) -> str:
        files = [f"-p{self.folder / name}" for name in ("first.txt", "second.txt")[:systems]]
        command, *options = arguments
        metric = ["wer"] if command == "score" else []
        result = CliRunner().invoke(main, [command, *metric, *files, f"-r{self.folder / 'ref.txt'}", *options])
        if result.exit_code == 2:  # the command prints the error as a line, and no traceback
            raise InputError(result.output)
        assert result.exit_code == 0, result.output
        return result.output

    def module(self, name: str, **options: Any) -> Any:
        first, second, references = self.texts
        return metrologue.load(name).compute(
            predictions1=first, predictions2=second, references=references, metric="wer", **options
        )


def compared(given: Given, **options: Any) -> Any:
    systems = {"first": given.texts[0], "second": given.texts[1]}
    return metrologue.compare(systems, given.texts[2], "wer", [], **options)


Face = Callable[[Given], Any]

INTERVALS: dict[str, Face] = {
    "confidence_interval": lambda given: confidence_interval(WER, given.segments()),
    "corpus": lambda given: WER.corpus(given.texts[0], given.texts[2], confidence=0.95),
    "score": lambda given: metrologue.score("wer", given.texts[0], given.texts[2], confidence=0.95),
    "compute": lambda given: metrologue.load("wer").compute(
        predictions=given.texts[0], references=given.texts[2], confidence=0.95
    ),
    "command": lambda given: given.command("score", "--confidence", systems=1),
}
TESTS: dict[str, Face] = {
    "paired_test": lambda given: paired_test(WER, "first", given.systems),
    "significance_groups": lambda given: significance_groups(WER, given.systems),
    "winners": lambda given: winners({"wer": WER}, given.systems),
    "command": lambda given: given.command("score", "--paired-bs"),
    "command, randomization": lambda given: given.command("score", "--paired-ar"),
    **{name: lambda given, name=name: given.module(name) for name in COMPARISONS},  # type: ignore[misc]
}


@pytest.mark.parametrize("face", [*INTERVALS.values(), *TESTS.values()], ids=[*INTERVALS, *(f"{t} " for t in TESTS)])
def test_one_segment_has_no_interval_and_no_test(face: Face, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has 1 segment\(s\); resampling needs at least two"):
        face(Given(tmp_path, ["a"], ["b"], ["a"]))


@pytest.mark.parametrize("face", [*TESTS.values(), compared], ids=[*TESTS, "compare"])
def test_systems_of_unequal_length_are_refused(face: Face, tmp_path: Path) -> None:
    told = r"'second' has 3 segments, but 'first' has 4|3 predictions2? but 4 references|3 segments? but .*4"
    with pytest.raises(InputError) as raised:
        face(Given(tmp_path, FIRST, SECOND[:3], REFERENCES))
    assert re.search(told, str(raised.value)) or ("second.txt" in str(raised.value) and "3" in str(raised.value))


@pytest.mark.parametrize(
    ("scorer", "what"),
    [
        (Bleu.variant("evaluate"), "has no token in its predictions or references"),
        (get_scorer("wil").variant("torchmetrics"), "has no unit in its predictions or references"),
        (EditDistance(normalization="reference", aggregation="corpus"), "has a distance above 0"),
    ],
)
@pytest.mark.parametrize("face", ["percentile", "bca", "bootstrap"])
def test_a_resample_without_a_score_is_no_segment(scorer: Scorer, what: str, face: str) -> None:
    """Of two segments, the message once blamed "segment 2": the index of a resample."""
    predictions, references = (["a", "b"], ["", "a b"]) if scorer.name == "edit_distance" else (["", "a"], ["a", "a"])
    given = Segments(predictions, references)
    other = given.with_predictions(predictions[::-1])

    def resample() -> object:
        if face in ("percentile", "bca"):
            return confidence_interval(scorer, given, method=face)
        return paired_test(scorer, "one", {"one": given, "other": other}, method=face)

    with pytest.raises(InputError, match=f"^{type(scorer).__name__}: a resample {what}"):
        resample()


def test_a_corpus_without_a_score_is_told_before_its_resamples() -> None:
    with pytest.raises(InputError, match="the corpus has no unit in its references"):
        confidence_interval(get_scorer("wer").variant("torchmetrics"), Segments(["", ""], ["", ""]))


LEVELS: dict[str, Callable[[Given, float], Any]] = {
    "confidence_interval": lambda given, level: confidence_interval(WER, given.segments(), level=level),
    "corpus": lambda given, level: WER.corpus(given.texts[0], given.texts[2], confidence=level),
    "score": lambda given, level: metrologue.score("wer", given.texts[0], given.texts[2], confidence=level),
    "compute": lambda given, level: metrologue.load("wer").compute(
        predictions=given.texts[0], references=given.texts[2], confidence=level
    ),
    "command": lambda given, level: given.command("score", "--confidence", f"--level={level}", systems=1),
    "command, test": lambda given, level: given.command("score", "--paired-bs", f"--level={level}"),
    "compare command": lambda given, level: given.command("compare", "--variant=jiwer", f"--level={level}"),
    "paired_test": lambda given, level: paired_test(WER, "first", given.systems, level=level),
    "winners": lambda given, level: winners({"wer": WER}, given.systems, level=level),
    "paired_bootstrap": lambda given, level: given.module("paired_bootstrap", level=level),
    "compare": lambda given, level: compared(given, confidence=level),
}


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95.0])
@pytest.mark.parametrize("face", LEVELS.values(), ids=LEVELS)
def test_levels_outside_0_to_1_are_refused(face: Callable[[Given, float], Any], level: float, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"the level of confidence is {level}; a number above 0 and below 1"):
        face(Given(tmp_path, FIRST, SECOND, REFERENCES), level)


FEW: dict[str, Face] = {
    "confidence_interval": lambda given: confidence_interval(WER, given.segments(), resamples=99),
    "paired_test": lambda given: paired_test(WER, "first", given.systems, resamples=99),
    "significance_groups": lambda given: significance_groups(WER, given.systems, resamples=99),
    "winners": lambda given: winners({"wer": WER}, given.systems, resamples=99),
    "command": lambda given: given.command("score", "--confidence", "-cin", "99", systems=1),
    "command, test": lambda given: given.command("score", "--paired-bs", "-pbsn", "99"),
    "compare command": lambda given: given.command("compare", "--metric=wer", "--library=jiwer", "--resamples=99"),
    "compare": lambda given: compared(given, resamples=99),
    **{name: lambda given, name=name: given.module(name, resamples=99) for name in COMPARISONS},  # type: ignore[misc]
}


@pytest.mark.parametrize("face", FEW.values(), ids=FEW)
def test_few_resamples_are_warned_of(face: Face, tmp_path: Path) -> None:
    given = Given(tmp_path, FIRST, SECOND, REFERENCES)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        printed = face(given)
    told = [str(each.message) for each in caught] + [printed if isinstance(printed, str) else ""]
    assert any("99 resamples are few: the limits change with the seed; use 1000." in each for each in told)


@pytest.mark.parametrize("options", [["--paired-bs", "-pbsn=99"], ["--paired-ar", "-parn=99", "--confidence"]])
def test_a_command_warns_of_few_resamples_once(options: list[str], tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Given(tmp_path, FIRST, SECOND, REFERENCES).command("score", "chrf", "ter", *options)
    assert sum("99 resamples are few" in str(each.message) for each in caught) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--level=0.9"], "--level is the level of intervals; give --confidence or --paired-bs."),
        (["--paired-ar", "--level=0.9"], "--level is the level of intervals; give --confidence or --paired-bs."),
        (["--confidence", "--correction=holm"], "--correction corrects the p-values of a test; give --paired-bs or"),
    ],
)
def test_an_option_without_its_test_is_refused(options: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        Given(tmp_path, FIRST, SECOND, REFERENCES).command("score", *options)


def test_a_baseline_that_is_no_system_is_refused(tmp_path: Path) -> None:
    """The other faces have no such argument: their baseline is the first system."""
    given = Given(tmp_path, FIRST, SECOND, REFERENCES)
    with pytest.raises(InputError, match=r"`baseline` is 'third'; .*first, second"):
        paired_test(WER, "third", given.systems)
