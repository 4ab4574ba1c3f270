"""Tables of commands in text: no number is ever split, and what is printed to a file does not depend on rich."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import printed_on_terminal

from metrologue.cli import tables
from metrologue.cli.tables import Score, Table, print_table
from metrologue.learned.store import SAMPLE

# Names and numbers: printable ASCII without a space at either end.
_CELLS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12).map(str.strip)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 5))
    header = draw(st.lists(_CELLS.map(lambda cell: cell or "x"), min_size=width, max_size=width))
    rows = draw(st.lists(st.lists(_CELLS, min_size=width, max_size=width), max_size=4))
    return Table(header, rows, words=draw(st.integers(0, width)), best=frozenset({(0, width - 1)}))


def _printed(table: Table, in_colours: bool) -> str:
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr(tables, "may_have_style", lambda: in_colours)
        patch.setattr(tables, "print_rich", lambda text: lines.append(text.plain.rstrip()))
        patch.setattr("click.echo", lines.append)
        print_table(table, "text")
        return "\n".join(lines)


@given(_tables())
def test_colours_do_not_change_a_table(table: Table) -> None:
    assert _printed(table, in_colours=False) == _printed(table, in_colours=True)


def test_a_name_that_is_not_ascii_is_aligned_by_its_width(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table(["system", "bleu"], [["中文", "1.0"], ["a", "10.0"]]), "text")
    assert capsys.readouterr().out.splitlines() == ["system  bleu", "中文     1.0", "a       10.0"]


WIDTHS = (60, 80, 100, 200)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _table(columns: int = 4, details: frozenset[int] = frozenset()) -> Table:
    score = Score("22.67", "0.59", "*", "ab")
    rows = [[name, *[score] * columns] for name in ("newstest2017.C-3MA.4959", "LIUM")]
    return Table(["system", *"abcdefgh"[:columns]], rows, best=frozenset({(0, 3)}), details=details)


def _headers(table: Table, width: int) -> list[list[str]]:
    parts, _ = tables._parts(table, tables.widths_of(table), width)
    return [[table.header[j] for j in part] for part in parts]


def test_a_table_fits_the_terminal() -> None:
    assert _headers(_table(), 200) == [["system", *"abcd"]]
    assert _headers(_table(), 60) == [["system", "a", "b"], ["system", "c", "d"]]
    table = _table(details=frozenset({3, 4}))
    assert tables._parts(table, tables.widths_of(table), 60) == ([[0, 1, 2]], [3, 4])


@given(_tables(), st.integers(30, 120))
def test_every_column_is_shown_once_or_named_as_left_out(table: Table, width: int) -> None:
    table = replace(table, details=frozenset(range(table.words + 1, len(table.header))))
    parts, left_out = tables._parts(table, tables.widths_of(table), width)
    numbers = [j for part in parts for j in part if j >= table.words]
    assert sorted([*numbers, *left_out]) == [*range(table.words, len(table.header))]
    assert not left_out or len(parts) == 1 or len(numbers) == 1 + (table.words < len(table.header))


@given(_CELLS, st.integers(1, 20))
def test_a_word_is_not_broken_in_a_number(text: str, width: int) -> None:
    lines = tables._folded(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert {*_NUMBER.findall(" ".join(lines))} <= {*_NUMBER.findall(text)}


def test_the_parts_of_a_score_stand_below_each_other() -> None:
    rows = [["a", Score("5.7", "0.8", "*", "c")], ["b", Score("15.7", "10.8", "", "ab")], ["c", Score("1.0")]]
    assert [line[1].rstrip() for line in tables._lines(Table(["system", "bleu"], rows))] == [
        "bleu",
        " 5.7 ±  0.8 *c",
        "15.7 ± 10.8  ab",
        " 1.0",
    ]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory, root: Path) -> list[list[str]]:
    """Commands for four systems of newstest2017 by their names, with the texts of the sample."""
    made, sample = tmp_path_factory.mktemp("systems"), root / "comparison" / "sample"
    names = {"amber": "C-3MA.4959", "birch": "FBK.4870", "cedar": "KIT.4950", "reference_2": "LIUM-NMT.4900"}
    found = {f"newstest2017.{to}.en-de": (sample / f"{of}.txt").read_text("utf-8") for of, to in names.items()}
    found["reference"] = (sample / "reference_1.txt").read_text("utf-8")
    files = []
    for name, text in found.items():
        path = made / name
        path.write_text(text, "utf-8")
        files += ["-r" if name == "reference" else "-p", str(path)]
    rated = made / "rated.jsonl"
    rows = [
        {"hypothesis": text, "references": [other], "ratings": {name: (7 * i + len(text)) % 5 for name in _QUALITIES}}
        for i, (text, other) in enumerate(zip(*(t.split("\n")[:30] for t in [*found.values()][-2:]), strict=True))
    ]
    rated.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    pairs = [{"image_id": i, "id": i, "caption": row["hypothesis"]} for i, row in enumerate(rows)]
    captions = []
    for name, content in (
        ("annotations", {"images": [{"id": i} for i in range(30)], "annotations": pairs}),
        ("results", pairs),
    ):
        (made / name).write_text(json.dumps(content), "utf-8")
        captions += [f"--{name}", str(made / name)]
    return [
        ["score", "bleu", "chrf", "ter", *files, "--paired-bs", "-pbsn", "50"],
        ["score", "bleu", *files, "--confidence", "-cin", "50"],
        ["score", "bleu", "chrf", *files, "--paired-ar", "-parn", "50", "--details"],
        ["score", "rouge", "bleu:nltk", "bleu", *files],
        ["compare", "--no-live", "--metric", "ter", "-cin", "50", *files],
        ["explain", "bleu", "nltk", "sacrebleu", *files[:2], *files[-2:]],
        ["meta", "--data", str(rated), "-m", "bleu", "-m", "chrf", "-m", "bleu:nltk", "--resamples", "50"],
        ["explain", "rouge", "rouge", "rouge_score", *files[:2], *files[-2:]],
        ["which", "bleu", "20.5", "--changes", "0", *files[:2], *files[-2:]],
        ["doctor", "-p", files[-1], "-p", files[1], *files[-2:]],
        ["list", "wer"],
        ["trace", "wer", "--all", *files[:2], *files[-2:]],
        ["coco", *captions],
    ]  # fmt: skip


_QUALITIES = ("adequacy", "fluency", "grammar", "relevance")


@pytest.fixture(scope="module")
def screens(commands: list[list[str]]) -> dict[int, list[str]]:
    return {width: printed_on_terminal(commands, width) for width in (*WIDTHS, 1000)}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_is_split_on_a_terminal(width: int, screens: dict[int, list[str]]) -> None:
    for narrow, whole in zip(screens[width], screens[1000], strict=True):
        text = re.sub(rf"Left out at {width} columns", "", narrow)
        assert {*_NUMBER.findall(text)} <= {*_NUMBER.findall(whole)}
        too_wide = [line for line in narrow.splitlines() if len(line.rstrip()) > width]
        # What people copy is whole: signatures and commands.
        assert all(re.match(r"\w+\|\S+$| *metrologue ", line) for line in too_wide), too_wide


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("width", WIDTHS)
def test_every_score_is_in_one_cell(width: int, screens: dict[int, list[str]], commands: list[list[str]]) -> None:
    several, alone, detailed, families, *_ = screens[width]
    cell = re.compile(r"\d+\.\d+ ± +\d+\.\d+ [ *]?[a-d]+")
    assert len(cell.findall(several)) == 4 * 3
    assert len(re.findall(r"\d+\.\d+ ± +\d+\.\d+(?: |$)", alone, re.MULTILINE)) == 4
    assert ("Left out at 60 columns: brevity penalty." in " ".join(alone.split())) == (width == 60)
    assert "precisions" not in several
    assert "precisions" in detailed  # shown, or named as left out
    assert all(name in families for name in ("rouge1", "rouge2", "rougeL", "rougeLsum", "bleu:nltk"))
    assert ("newstest2017.C-3MA.4959.en-de" in several.split("bleu|")[0]) == (width > 60)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("width", WIDTHS)
def test_no_word_of_a_sentence_is_split(width: int, screens: dict[int, list[str]], commands: list[list[str]]) -> None:
    for command, narrow, whole in zip(commands, screens[width], screens[1000], strict=True):
        if command[0] in ("which", "doctor"):  # sentences only; a table breaks long names at their marks
            assert narrow.split() == whole.split()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("width", [60, 200])
def test_candidates_are_whole_and_a_training_is_told_in_sentences(width: int, tmp_path: Path) -> None:
    long = " ".join(["Der Vorsitzende sprach am Montag in Frankfurt"] * 6)
    (tmp_path / "nbest.jsonl").write_text(json.dumps([long, "a b"]) + "\n", "utf-8")
    out = tmp_path / "model"
    decode = ["mbr", "--candidates", str(tmp_path / "nbest.jsonl"), "--metric", "chrf", "--top", "2"]
    train = ["train", "composite", "--data", str(SAMPLE), "--encoder", "ngrams-8@2", "--out", str(out)]
    decoded, as_json, trained = printed_on_terminal([decode, [*decode, "--format", "json"], train], width)
    assert [*decoded.splitlines()] == [long, "a b"]  # lines of text for other programs
    assert [json.loads(line)["candidate"] for line in as_json.split("\n")[1:3]] == [long, "a b"]
    first, *told = trained.strip().splitlines()
    assert str(out) in first
    assert max(map(len, told)) <= width
    assert re.search(r"difference [+-]\d\.\d{3} \[[+-]\d\.\d{3}, [+-]\d\.\d{3}\]", " ".join(told))
    assert (len(told) > 3) == (width == 60)


@pytest.mark.parametrize("width", WIDTHS)
def test_figures_of_documents_are_whole(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jsonschema", reason="jsonschema is not installed: pip install 'metrologue[compare]'")
    from metrologue.cli.documents import cases_as_lines
    from metrologue.comparison.documents import load_cases, run_cases

    cases = load_cases()
    by_library = {case.library.name if case.library else "": case for case in cases if case.id.startswith("bleu")}
    results = run_cases([by_library["nltk"], *[case for case in cases if case.library is None][:9]])
    monkeypatch.setattr(tables, "terminal_width", lambda: width)
    tables.say(*cases_as_lines(results))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    whole = " ".join(" ".join(lines).split())
    for result in results:
        for figure in result.figures:
            assert f"{figure.name}: " in whole
            for number in (figure.published, figure.library, figure.variant):
                assert number is None or any(repr(number) in line for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_trace_fits_a_terminal_with_the_digits_that_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("It is a guide to action which ensures that the military always obeys the party .\n")
    (tmp_path / "r").write_text(
        "It is a guide to action that ensures that the military will forever heed the party .\n"
    )
    call = ["trace", "bleu", "-p", str(tmp_path / "p"), "-r", str(tmp_path / "r"), "--segment", "1"]
    usual, two = printed_on_terminal([call, [*call, "--width", "2"]], 80)
    for screen, decimals in ((usual, 4), (two, 2)):
        assert re.search(rf"= \d+\.\d{{{decimals}}}\n", screen)
        assert max(map(len, screen.splitlines())) <= 80


def test_a_trace_says_that_it_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import metrologue.cli.trace as trace

    for width, told in ((60, "Some lines are wider than these 60 columns"), (0, ""), (200, "")):
        monkeypatch.setattr(trace, "terminal_width", lambda width=width: width)
        trace._print_whole("x" * 61)
        found = capsys.readouterr()
        assert found.out == "x" * 61 + "\n"
        assert found.err.startswith(told)
        assert bool(found.err) == bool(told)
