"""Names of files, systems and ratings that look like markup: each format shows them as text, in one cell of one row."""

from __future__ import annotations

import csv
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("markdown_it", reason="markdown-it-py is not installed: pip install markdown-it-py")

from markdown_it import MarkdownIt

from metrologue.cli import main
from metrologue.output import latex_text, markdown_cell, markdown_text, one_line, tsv_cell

NAMES = [
    "<img src=x onerror=alert(1)>", "a|b", "a\nb", "a\r\n\r\nb", "$x$", "_x_", "__x__", "*x*", "**x** y", "`x`",
    "``a`b``", "[a](javascript:1)", "![a](http://t/x)", "# x", "#x", "- x", "-", "---", "+ x", "1. x", "12) x", "> x",
    "&lt;b&gt;", "&amp;", "~~x~~", "a_b_c", "snake_case_", "\\", "\\*", "a\\", "http://x.y/z", "<http://x.y>",
    "[x][y]", "[x]: y", "*", "* x", "(1*)", "a*b*c", "=x", "===", "x\u2028# y", "<!-- x", "--> x", "--->", "|",
    "a\\|b", "***", "_", "~", "a~~b", "<", ">", "p<.001", "a & b", "x <b>y", "&#60;b&#62;", "{x}", "$$", '"x"',
    "[ ] task", "-1.5", "% x", "a\x1b[31mb", "x\ty",
]  # fmt: skip
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


class Read(HTMLParser):
    """The tags of HTML, its text, and the texts of its cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.cells, self.text, self.comments = set[str](), list[str](), "", list[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.cells:
            self.cells[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def spaced(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_markdown_shows_a_name(name: str) -> None:
    shown = spaced(one_line(name))
    for before, after, tags in (("", "", {"p"}), ("- ", "", {"ul", "li"}), ("## ", "", {"h2"}), ("x, ", " y", {"p"})):
        read = Read(_MARKDOWN.render(f"{before}{markdown_text(name)}{after}"))
        plain = before if before == "x, " else ""
        assert (read.tags, spaced(read.text)) == (tags, spaced(f"{plain}{shown}{after}"))
    cell = markdown_cell(name)
    read = Read(_MARKDOWN.render(f"| a | b |\n| --- | --- |\n| {cell} | {cell} |\n"))
    assert read.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    assert [spaced(each) for each in read.cells[2:]] == [shown, shown]


@pytest.mark.parametrize("name", NAMES)
def test_latex_has_no_command_that_a_name_holds(name: str) -> None:
    latex = latex_text(name)
    assert "\n" not in latex
    assert not latex.startswith(("[", "*"))  # an argument of the \\ before it
    assert "--" not in latex
    own = re.sub(r"\\(text(backslash|asciitilde|asciicircum|bar|less|greater)\{\}|[&%$#_{}])", "", latex)
    assert not set(own.replace("{[}", "").replace("{*}", "").replace("{}", "")) & set("\\$%&#_{}~^")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"), ("@x", "'@x"), ("+x", "'+x"), ("-x", "'-x"), ("- yes", "'- yes"), ("\t=x", "' =x"),
        ("\r=x", "' =x"), (" =x", "' =x"), ("＝x", "'＝x"), ("-1.5", "-1.5"), ("+1e-9", "+1e-9"), ("-.5", "-.5"),
        ("-inf", "-inf"), ("-1+1", "'-1+1"), ("-", "-"), ("a\tb\nc", "a b c"), ("a=b", "a=b"), ("", ""),
    ],
)  # fmt: skip
def test_a_cell_of_a_table_begins_no_formula(text: str, cell: str) -> None:
    assert tsv_cell(text) == cell


FILES = [each for each in NAMES if "/" not in each and len(one_line(each)) > 1][::3]
FILES = [*(each for each in FILES if each != "-1.5"), "=1+1", "@x", "[z](x)", "*x*"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments for systems with such names."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(FILES):
        Path(name).write_text(f"the cat sat on mat\na dog {number} ran\nsome more words\n", "utf-8")
    Path("reference").write_text("the cat sat on the mat\na dog 3 ran\nsome more words now\n", "utf-8")
    return [*(part for name in FILES for part in ("-p", f"./{name}")), "-r", "reference"]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_score_in_markdown(files: list[str]) -> None:
    read = Read(_MARKDOWN.render(run("score", "bleu", "ter", *files, "--format", "markdown")))
    assert [spaced(each) for each in read.cells[3::3]] == [spaced(one_line(each)) for each in FILES]
    assert read.tags == {"table", "thead", "tbody", "tr", "th", "td", "strong", "p"}
    assert len(read.comments) == 2


def test_score_in_tsv(files: list[str]) -> None:
    for options in (("--format", "tsv"), ("--per-segment",)):
        lines = run("score", "ter", *files, *options).splitlines()
        header, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert {len(row) for row in rows} == {len(header)}
        assert not [cell for row in rows for cell in row if re.match(r"[=@\t\r]|[+-](?![\d.])", cell)]
        assert len(rows) == len(FILES) * (3 if options == ("--per-segment",) else 1)


def test_score_in_latex_and_text(files: list[str]) -> None:
    rows = [line for line in run("score", "ter", *files, "--format", "latex").splitlines() if line.endswith(r"\\")]
    assert [row.split(" & ")[0] for row in rows[1:]] == [latex_text(each) for each in FILES]
    text = run("score", "ter", *files).splitlines()
    assert len(text) == len(FILES) + 2
    assert not [line for line in text if not line.isprintable()]


def test_worst_segments_begin_no_formula(files: list[str]) -> None:
    Path("hypothesis").write_text("=1+1\n@x\n-y\n", "utf-8")
    rows = run("score", "ter", "-p", "hypothesis", "-r", "reference", "--worst", "3").splitlines()[1:]
    assert sorted(row.split("\t")[-1] for row in rows) == ["'-y", "'=1+1", "'@x"]


def test_compare_in_markdown_and_latex(files: list[str]) -> None:
    options = ("compare", "--no-live", "--metric", "ter", *files[: 2 * len(FILES)], "-r", "reference", "--format")
    read = Read(_MARKDOWN.render(run(*options, "markdown")))
    assert [spaced(each) for each in read.cells[2 : 2 + len(FILES)]] == [spaced(one_line(each)) for each in FILES]
    assert not read.tags - {"table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "p", "ul", "li"}
    assert not read.comments
    header = next(line for line in run(*options, "latex").splitlines() if line.startswith("metric & "))
    assert header.removesuffix(r" \\").split(" & ")[2:] == [latex_text(each) for each in FILES]


QUALITIES = ["<b>q</b>|_x_", "=q", "a\nb"]


@pytest.fixture
def rated(tmp_path: Path) -> list[str]:
    """The arguments for a meta-evaluation of systems, qualities and a metric with such names."""
    with (tmp_path / "rated.jsonl").open("w", encoding="utf-8") as data:
        for number, name in enumerate(FILES[:4]):
            for segment in range(6):
                ratings = {each: (segment * number + at) % 5 for at, each in enumerate(QUALITIES)}
                texts = {"hypothesis": f"a b {segment * number} d", "references": ["a b 3 d"]}
                data.write(json.dumps({"system": name, "segment": segment, **texts, "ratings": ratings}) + "\n")
    page = ("--out", str(tmp_path / "page.html"))
    return ["meta", "--data", str(tmp_path / "rated.jsonl"), "-m", "ter", "-m", "bleu:nltk", "--combine", "all", *page]


def test_meta_in_markdown_tsv_and_html(rated: list[str], tmp_path: Path) -> None:
    read = Read(_MARKDOWN.render(run(*rated, "--format", "markdown")))
    shown = [spaced(each) for each in QUALITIES]
    assert [spaced(each) for each in read.cells if each][1:4] == shown
    assert not read.tags - {"table", "thead", "tbody", "tr", "th", "td", "strong", "p"}
    header, *rows = csv.reader(run(*rated, "--format", "tsv").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    assert {len(row) for row in rows} == {len(header)}
    assert {row[1] for row in rows} == {"<b>q</b>|_x_", "'=q", "a b"}
    page = Read((tmp_path / "page.html").read_text("utf-8"))
    assert "b" not in page.tags
    assert QUALITIES[0] in unescape(page.text)
