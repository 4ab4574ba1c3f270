"""The figures of real text that the report quotes are what the libraries give today."""

from pathlib import Path

import pytest

from metrologue.comparison.harness import compare
from metrologue.comparison.report.page import real_text
from metrologue.files.parts import read_segments
from metrologue.scorers import Bleu


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "wmt17_ende"


def test_quoted_figures_are_those_of_our_variants(folder: Path) -> None:
    """And the ranks among all systems."""
    quoted = real_text()
    paths = sorted((folder / "systems").iterdir())
    assert len(paths) == quoted["systems"]
    systems, references = read_segments([str(path) for path in paths], [str(folder / "reference.de")])
    place = [path.name for path in paths].index(quoted["file"])
    gaps = []
    for end in ("low", "high"):
        scorer = Bleu.variant(quoted[f"{end}_label"].split()[0])
        points = [100 * scorer.corpus(texts, references).value / scorer.scale for texts in systems]
        assert points[place] == pytest.approx(quoted[end], rel=1e-12)
        assert 1 + sum(value > points[place] for value in points) == quoted[f"rank_by_{end}"]
        gaps.append(points)
    widest = max(high - low for low, high in zip(*gaps, strict=True))
    assert widest == pytest.approx(quoted["high"] - quoted["low"], rel=1e-12)


@pytest.mark.slow
def test_quoted_figures_are_those_of_the_libraries(folder: Path) -> None:
    quoted = real_text()
    [texts], references = read_segments([str(folder / "systems" / quoted["file"])], [str(folder / "reference.de")])
    names = [quoted[f"{end}_label"].split()[0] for end in ("low", "high")]
    found = compare({"system": texts}, references, "bleu", libraries=names, variants=names, processes=1)
    numbers = {n.name: n for n in found.numbers if n.kind == "library"}
    for end, name in zip(("low", "high"), names, strict=True):
        assert numbers[name].missing is None
        assert numbers[name].label == quoted[f"{end}_label"]
        assert found.points(numbers[name]) == pytest.approx(quoted[end], rel=1e-12)
