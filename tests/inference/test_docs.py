"""docs/significance.md, docs/comparing.md and the README on significance: what they show is what is printed."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.parts import read_segments
from metrologue.inference import THRESHOLDS, confidence_interval, human_agreement, winners
from metrologue.scorers import make_scorer
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments


def test_the_page_on_significance(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    page = (root / "docs" / "significance.md").read_text("utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    printed: list[str] = []
    test = doctest.DocTestParser().get_doctest(examples, {}, "significance.md", None, None)
    result = doctest.DocTestRunner().run(test, out=printed.append)
    assert result.attempted > 10
    assert not result.failed, "".join(printed)


@pytest.mark.parametrize("file", ["README.md", "docs/comparing.md"])
def test_the_table_of_a_session(root: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    (session,) = re.findall(r"```text\n(\$ cd .*?)\n```", (root / file).read_text("utf-8"), re.DOTALL)
    entered, run, *table = session.splitlines()
    folder, command = entered.removeprefix("$ cd "), run.removeprefix("$ metrologue ")
    monkeypatch.chdir(root / folder)
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert len(table) == 4
    assert lines[:4] == table


def test_the_generated_table_says_what_the_tests_say(root: Path) -> None:
    """Its cells are those of ``inference``, without the comparison that makes it."""
    page = root / "docs" / "comparing.md"
    section = page.read_text("utf-8").partition("<!-- significance: ")[2].partition("<!-- end -->")[0]
    header, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| ")
    )
    folder = root / "comparison" / "sample"
    texts, references = read_segments(
        [str(folder / f"{name}.txt") for name in header[1:4]], [str(folder / f"reference_{i}.txt") for i in (1, 2)]
    )
    first = Segments(texts[0], references, shared=True)
    systems = {name: first.with_predictions(each) for name, each in zip(header[1:4], texts, strict=True)}
    assert len(rows) >= 5
    for number, *cells, told in rows:
        scorer = make_scorer(number.strip("`"))
        factor = 100 / (perfect_score(scorer) or 1)
        for name, cell in zip(systems, cells, strict=True):
            interval = confidence_interval(scorer, systems[name])
            value = scorer.corpus(systems[name]).value
            shown = [factor * each for each in (value, interval.low, interval.high)]
            assert cell == "{:.1f} [{:.1f}, {:.1f}]".format(*shown)
        winner = winners({"it": scorer}, systems)["it"]
        assert told.startswith(f"{winner.system} ")
        for test in winner.tests:
            difference = f"{-factor * test.difference:+.2f}".replace("-", "−")
            assert f"{test.system} ({difference}, p = {test.corrected_p_value:.3f})" in told
        assert ("not" in told) == (not winner.is_clear)


def test_the_thresholds_on_the_page_are_those_of_the_code(root: Path) -> None:
    page = (root / "docs" / "significance.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) % \| (\S+|not reached) \| (\S+|not reached) \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for share, *cells in rows:
        for metric, cell in zip(("bleu", "chrf"), cells, strict=True):
            threshold = THRESHOLDS[metric].get(int(share))
            assert cell == ("not reached" if threshold is None else f"{threshold:.2f}")


@pytest.mark.parametrize(
    ("metric", "difference", "share"),
    [("bleu", 0.26, None), ("bleu", 0.27, 50), ("bleu", -2.34, 80), ("bleu", 50, 85), ("chrf", 3.05, 90)],
)
def test_agreement_is_the_largest_share_that_is_reached(metric: str, difference: float, share: int | None) -> None:
    assert human_agreement(metric, difference) == share


def test_agreement_of_what_the_paper_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="`metric` is 'wer'"):
        human_agreement("wer", 1.0)
    with pytest.raises(InputError, match="`difference` is nan"):
        human_agreement("bleu", float("nan"))
