"""The tables of speed in docs/speed.md and README.md: they are measured, dated, and written between their marks."""

from __future__ import annotations

import re
from datetime import date
from importlib import import_module
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


def test_there_is_a_place_for_each_table(root: Path) -> None:
    scale = [("docs/scale.md", block) for block in ("costs", "growth", "threads", "trillion")]
    for file, block in (("docs/speed.md", "speed"), ("README.md", "speed in short"), *scale):
        text = (root / file).read_text("utf-8")
        assert text.count(f"<!-- {block}: made by `python -m benchmarks --readme` -->\n") == 1


def test_the_short_table_has_some_rows_of_the_long_one(root: Path, measured: Any) -> None:
    readme, _, rows = measured
    before = (root / "README.md").read_text("utf-8")
    shown = re.findall(r"^\| BLEU 13a .*$", readme.with_few(before, rows), re.MULTILINE)
    [row] = [row for row in rows if (row.what, row.peer) == ("BLEU 13a", "sacrebleu")]
    assert [_seconds(line.split("|")[4].strip()) for line in shown] == [pytest.approx(row.ours, rel=0.05)]


def test_the_tables_of_scale(measured: Any) -> None:
    readme, *_ = measured
    from benchmarks.growth import METRICS, Cost, Growth
    from benchmarks.threads import Threads

    sizes = [Growth(metric, 10**power, 2.0 * 10 ** (power - 4), 50.0) for metric in METRICS for power in (4, 5)]
    costs = [Cost("BLEU 13a", 1.25, 80.4), Cost("WER", 1.5, 81.0), Cost("CER", 3.0, 90.0)]
    before = readme.SCALE.read_text("utf-8")
    after = readme.with_scale(before, [*sizes, *costs, Threads("WER", 0.5, 0.25), "a line"], DAY)
    for line in (
        "| BLEU 13a | 1.25 | 80 | CER | 3.00 | 90 |",
        "| WER | 1.50 | 81 |  |  |  |",
        "| bleu | 2.00 s | 20.0 s | 1.00 | 50 | 50 |",
        "| bleu | 200. | 55.56 core hours | 55,556 core hours |",
        "| WER | 500 ms | 250 ms | 2.00 |",
    ):
        assert after.count(f"{line}\n") == 1
    assert readme.with_scale(before, [], DAY) == before


def test_the_readme_quotes_the_long_table(root: Path) -> None:
    quoted = (root / "README.md").read_text("utf-8").partition("<!-- speed in short")[2].partition("<!-- end -->")[0]
    rows = [line for line in quoted.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 5
    whole = (root / "docs" / "speed.md").read_text("utf-8")
    assert [row for row in rows if row not in whole] == []


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


@pytest.fixture
def benchmarks(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package; tests of groups are below, on texts that are too few for a number that means anything."""
    for library in ("bleuscore", "jiwer", "matplotlib", "nltk", "rapidfuzz", "rouge_score", "sacrebleu"):
        pytest.importorskip(library)
    monkeypatch.syspath_prepend(str(root))
    monkeypatch.setenv("PYTHONPATH", str(root))
    return import_module("benchmarks.__main__")


def test_a_record_is_what_was_measured(benchmarks: Any, tmp_path: Path) -> None:
    from benchmarks.growth import Cost, Growth
    from benchmarks.threads import Threads
    from benchmarks.timing import Row

    records, path = benchmarks.records, tmp_path / "a" / "group.json"
    found = [Row("a", "b", 1.0, 2.0, 2.0, 1.0, 1.0), Growth("ter", 10, 0.5, 3.0), Cost("x", 1.5, 2.0),
             Threads("x", 2.0, 1.0), "a line"]  # fmt: skip
    of = records.about(3, small=True)
    assert records.load(path, of) is None
    records.save(path, found, of)
    assert records.load(path, of) == records.load(path) == found
    assert records.load(path, records.about(4, small=True)) is None
    assert [each.name for each in path.parent.iterdir()] == ["group.json"]


def test_a_run_goes_on_where_it_was(benchmarks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def groups(*_: object) -> dict[str, Any]:
        def measure(name: str) -> Any:
            return lambda rounds: calls.append(name) or [f"{name} in {rounds} rounds"]

        return {"one": measure("one"), "two": measure("two"), "cut off": lambda rounds: 1 / 0}

    def run(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["benchmarks", "--small", "--into", str(tmp_path), *arguments])
        return int(benchmarks.main())

    tiny = benchmarks.texts.Corpus("tiny", [["a"]], ["a"])
    monkeypatch.setattr(benchmarks, "corpora", lambda small: (tiny, tiny))
    monkeypatch.setattr(benchmarks, "_groups", groups)
    with pytest.raises(ZeroDivisionError):
        run()
    with pytest.raises(ZeroDivisionError):
        run()
    assert calls == ["one", "two"]
    assert run("--only", "one", "two", "--anew") == 0
    assert run("--only", "one", "--rounds", "2") == 0
    assert calls == ["one", "two", "one", "two", "one"]
    with pytest.raises(SystemExit):
        run("--only", "three")


@pytest.mark.slow
def test_growth_costs_and_threads(benchmarks: Any, tmp_path: Path) -> None:
    from benchmarks import growth, texts
    from benchmarks.threads import threads

    corpus = texts.generated(systems=2, segments=5)
    points = growth.growth(corpus, 1, sizes=(7, 31), metrics=("bleu",))
    assert [(point.metric, point.pairs) for point in points] == [("bleu", 7), ("bleu", 31)]
    assert all(point.seconds > 0 and 20 < point.mebibytes < 500 for point in points)
    assert growth.slope([growth.Growth("a", 10, 1.0, 1.0), growth.Growth("a", 1000, 100.0, 1.0)]) == pytest.approx(1)
    with pytest.MonkeyPatch.context() as patch:
        rows = {name: growth.ROWS[name] for name in ("NIST", "Self-BLEU", "WER")}
        patch.setattr(growth, "ROWS", rows)
        patch.setattr("benchmarks.threads.ROWS", rows)
        found = growth.costs(corpus, corpus, 1, limits=(10, 40))
        assert [cost.what for cost in found] == ["NIST", "WER"]
        assert all(cost.seconds > 0 and cost.mebibytes > 20 for cost in found)
        pairs = threads(corpus, corpus, 1)
        assert [pair.what for pair in pairs] == ["NIST", "Self-BLEU", "WER"]
    records = [*points, *found, *pairs, "a line"]
    assert len([*benchmarks.others(records)]) == 4
    for name in ("picture.svg", "picture.png"):
        benchmarks.plot(records, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 10_000


def test_the_picture_has_every_part_of_the_record(benchmarks: Any, tmp_path: Path) -> None:
    from benchmarks.growth import Growth
    from benchmarks.threads import Threads
    from benchmarks.timing import Row

    promised = Row("first chrf, empty cache (processor)", "what is promised", 0.5, 6.0, 12.0, 1.0, 2.0)
    records = [Growth("ter", 10, 0.5, 333.0), Growth("ter", 1000, 50.0, 200.0), Threads("WER", 2.0, 1.0), promised]
    picture = tmp_path / "picture.svg"
    benchmarks.plot([*records, Row("BLEU 13a", "sacrebleu", 1.0, 2.0, 2.0, 1.0, 1.0)], picture)
    drawn = picture.read_text("utf-8")  # each text is a comment beside its outlines
    for text in ("ter, slope 1.00", "ter, 333 MiB", "WER", "first chrf, empty cache", "BLEU 13a (sacrebleu)"):
        assert f"<!-- {text} -->" in drawn
    assert "first chrf, empty cache (what is promised)" not in drawn


@pytest.mark.slow
@pytest.mark.parametrize("group", ["bleu", "chrf", "latency", "pairs", "costs", "growth", "threads"])
def test_a_group_runs(benchmarks: Any, group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["benchmarks", "--small", "--rounds", "1", "--only", group, "--into", str(tmp_path)]
    monkeypatch.setattr("sys.argv", arguments)
    assert benchmarks.main() in (0, 1)
    assert benchmarks.records.load(tmp_path / f"{group}.json")
