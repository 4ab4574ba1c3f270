"""The table of speed in README.md: it is measured, dated, and written between its marks."""

from __future__ import annotations

import re
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

DAY = date(2026, 1, 31)


def _seconds(cell: str) -> float:
    return float(cell.removesuffix(" µs")) * (1e-6 if cell.endswith("µs") else 1)


@pytest.fixture
def measured(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that writes the table; a tiny text, and rows that were measured on it."""
    for library in ("bleuscore", "sacrebleu", "nltk"):
        pytest.importorskip(library)
    monkeypatch.syspath_prepend(str(root))
    from benchmarks import bleu, readme, texts
    from benchmarks.timing import Row

    corpus = texts.generated(systems=2, segments=5)
    rows = [*bleu.in_process(corpus, rounds=1), Row("first bleu", "what is promised", 1.0, 6.0, 6.0, 1.0, 2.0)]
    return readme, corpus, rows


def test_the_readme_has_a_place_for_the_table(root: Path) -> None:
    assert (root / "README.md").read_text("utf-8").count(
        "<!-- speed: made by `python -m benchmarks --readme` -->\n"
    ) == 1


def test_the_table_is_what_was_measured(root: Path, measured: Any) -> None:
    readme, corpus, rows = measured
    before = readme.FILE.read_text("utf-8")
    after = readme.with_speed(before, rows, [corpus], DAY, 3)
    assert readme.with_speed(after, rows, [corpus], DAY, 3) == after
    start, end = "<!-- speed: made by `python -m benchmarks --readme` -->\n", "<!-- end -->\n"
    head, _, rest = after.partition(start)
    block, _, tail = rest.partition(end)
    assert head == before.partition(start)[0]
    assert tail == before.partition(start)[2].partition(end)[2]
    assert "Measured on 2026-01-31 with Python 3." in block
    assert f"generated text, 2 systems, 10 pairs, {corpus.bytes / 1e6:.1f} MB" in block
    found = [
        tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in re.findall(r"^\| .*$", block, re.MULTILINE)
    ]
    assert found[0] == ("what", "library", "library, s", "metrologue, s", "times faster")
    shown = {row.what: row for row in rows if row.peer not in {"wc -w", "what is promised"}}
    assert [what for what, *_ in found[2:]] == [*shown]
    for what, library, theirs, ours, ratio in found[2:]:
        row = shown[what]
        assert library == f"{row.peer} {version(row.peer)}"
        assert (_seconds(theirs), _seconds(ours)) == pytest.approx((row.theirs, row.ours), rel=0.006)
        assert float(ratio) == pytest.approx(row.ratio, rel=0.006)


def test_a_text_without_a_place_is_refused(measured: Any) -> None:
    readme, corpus, rows = measured
    with pytest.raises(ValueError, match=r"there are 0 blocks .*there must be one"):
        readme.with_speed("no place", rows, [corpus], DAY, 3)


def test_a_row_of_one_pair_has_a_library_that_gets_the_same_pair(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("jiwer", "nltk", "rapidfuzz", "rouge_score", "sacrebleu"):
        pytest.importorskip(library)
    monkeypatch.syspath_prepend(str(root))
    from benchmarks import latency

    monkeypatch.setattr(latency, "CALLS", 2)
    rows = latency.in_process(rounds=1)
    assert {"BLEU, one pair", "WER, one pair"} < {row.what for row in rows}
    assert all(row.ours > 0 and row.theirs > 0 for row in rows)
