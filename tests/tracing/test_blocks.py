"""Blocks are shown by kind: as text and as HTML, whatever a metric puts into them."""

from __future__ import annotations

import json
import re

import pytest

from metrologue.tracing import (
    Alignment,
    Block,
    Body,
    Column,
    Curve,
    Edge,
    Graph,
    Grid,
    Key,
    Legend,
    Link,
    Listing,
    Matrix,
    Node,
    Notes,
    Row,
    Section,
    Span,
    Table,
    Text,
    Texts,
    Trace,
    Word,
)

HIT = Span(tokens=("a<b", "c d"), state="matched")
BLOCKS: tuple[Block, ...] = (
    Notes(lines=("one & two",)),
    Legend(title="where", keys=(Key(mark="●", meaning="hit"), Key(mark="S", meaning="swap", state="S"))),
    Texts(texts=(Text(name="mine", sentences=(("e<f", HIT), ("g",)), size="3 tokens"),)),
    Listing(name="missed", spans=(HIT, Span(tokens=("h",), note="×2")), summary="2 missed"),
    Table(name="sums", header=("what", "n"), rows=(Row(cells=(HIT, 2)), Row(cells=("rest", 1 / 3)))),
    Grid(names=("mine", "yours"), columns=(Column(letter="S", hypothesis=("i<j",), reference=("k",)),)),
    Alignment(
        names=("mine", "yours"),
        rows=((Word(text="l<m", link=1),), (Word(text="n", link=1, function=True), Word(text="o"))),
        links=(Link(name="stem", shape="triangle", starts=(0, 0), lengths=(1, 1)),),
    ),
    Curve(name="p<q", axis="words", places=(1, 2, 4), values=(0.5, 1.0, 0.75)),
    Graph(
        name="mine",
        nodes=(
            Node(name=HIT, attributes=(Span(tokens=("old",), state="missing"), HIT)),
            Node(name=Span(tokens=("r<s",))),
        ),
        edges=(Edge(source=0, target=1, name=Span(tokens=("on", "top"), state="missing")),),
    ),
    Matrix(name="counts", axes=("actual", "predicted"), labels=("i<j", "k"), cells=((3.0, 1.0), (0.0, 0.25))),
    Section(name="part", title="part <1>", blocks=(Notes(lines=("inside",)),), values={"both": (1.0, 2.0)}),
)
TEXTS = {
    "notes": ["one & two"],
    "legend": ["where: ● hit · S swap"],
    "texts": ["mine  3 tokens  e<f ●a<b c␣d", "                g"],
    "listing": ["missed: ● a<b c␣d · h ×2"],
    "table": ["what              n", "● a<b c␣d         2", "rest       0.333333"],
    "grid": ["mine   i<j", "yours  k", "       S"],
    "alignment": ["mine   l<m", "       1▲", "", "yours  n   o", "       1▲ƒ"],
    "curve": ["p<q, words 1 to 4: 0.5 to 0.75, from 0.5 up to 1", "▁█▅"],
    "graph": ["mine: 2 of 5 match", "●a<b c␣d: ○old, ●a<b c␣d", "r<s", "a<b c␣d —○on top→ r<s"],
    "matrix": [
        "rows: actual, columns: predicted",
        "actual\\predicted  i<j     k",
        "i<j                 3     1",
        "k                   0  0.25",
    ],
    "section": ["part <1>", "inside"],
}


def shown(*blocks: Block) -> Trace:
    return Trace(metric="m", value=1.0, signature="m|v=1", formula="m = 1", remarks=("why",), blocks=blocks)


def test_every_kind_is_here() -> None:
    kinds = {kind for kind in Block.__subclasses__() if kind is not Body} | {Section}
    assert {type(block) for block in BLOCKS} == kinds
    assert [block.kind for block in BLOCKS] == list(TEXTS)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.kind)
def test_a_block_as_text(block: Block) -> None:
    assert shown(block).text().split("\n") == ["m = 1", "why", "m|v=1", "", *TEXTS[block.kind]]


def words(page: str) -> list[str]:
    """What a page says, word by word."""
    return re.sub(r"<[^>]*>", " ", page).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split()


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if not isinstance(block, Alignment | Curve)], ids=lambda block: block.kind
)
def test_a_block_as_html_says_what_its_text_says(block: Block) -> None:
    page = shown(block).html(style=False)
    assert "a<b" not in page
    said = " ".join(words(page))
    for word in " ".join(TEXTS[block.kind]).split():
        assert word in said


def test_an_alignment_as_html_is_a_picture() -> None:
    page = shown(BLOCKS[6]).html(style=False)
    assert {"l<m", "n", "o", "mine", "yours"} <= set(words(page))
    assert 'aria-label="l&lt;m – n (stem)"' in page


def test_a_curve_as_html_is_a_picture() -> None:
    page = shown(BLOCKS[7]).html(style=False)
    assert "p&lt;q, words 1 to 4: 0.5 to 0.75, from 0.5 up to 1</figcaption>" in page
    assert 'd="M56.0 128.0L216.0 8.0L536.0 68.0"' in page
    assert {"0.5", "1", "4"} <= set(" ".join(words(page)).split())
    flat = Curve(name="flat", axis="words", places=(3,), values=(2.0,))
    assert (flat.bars, flat.path) == ("▁", "M56.0 68.0")
    nothing = Curve(name="none", axis="words", places=(), values=())
    assert "none: no value" in shown(nothing).html()
    assert "<svg" not in shown(nothing).html()
    assert len(Curve(name="long", axis="words", places=tuple(range(999)), values=tuple(range(999))).bars) == 60


def test_blocks_stand_apart_and_what_marks_mean_comes_last() -> None:
    lines = shown(*BLOCKS).text().split("\n")
    assert lines[-1] == TEXTS["legend"][0]
    assert "\n\n\n" not in "\n".join(lines)
    joined = "\n".join(lines)
    assert all("\n\n" + "\n".join(text) + "\n" in joined for kind, text in TEXTS.items() if kind != "legend")


def test_the_dictionary_says_the_kind_of_every_block() -> None:
    plain = json.loads(json.dumps(shown(*BLOCKS).to_dict()))
    assert plain["kind"] == "trace"
    assert [block["kind"] for block in plain["blocks"]] == list(TEXTS)
    assert plain["blocks"][-1]["blocks"] == [{"kind": "notes", "lines": ["inside"]}]
    assert plain["blocks"][-1]["values"] == {"both": [1.0, 2.0]}


def test_blocks_of_a_kind_are_found_in_sections_too() -> None:
    assert [notes.lines for notes in shown(*BLOCKS).every(Notes)] == [("one & two",), ("inside",)]
    assert shown(*BLOCKS).sections == [BLOCKS[-1]]


# The signature is under a fold of its own.
FOLD = '<details class="trace-fold">'


def test_long_lists_are_folded_where_they_may_be() -> None:
    rows = tuple(Row(cells=(f"w{number}", number)) for number in range(7))
    table = Table(name="all", header=("word", "n"), rows=rows)
    assert FOLD not in shown(table).html()
    folded = Table(name="all", header=("word", "n"), rows=rows, summary="7 words")
    assert "<summary>7 words</summary>" in shown(folded).html()
    few = Table(name="all", header=("word", "n"), rows=rows[:6], summary="6 words")
    assert FOLD not in shown(few).html()
    beside = [Table(name=name, header=("n-gram", "n"), rows=rows[:1], caption=name) for name in ("1-grams", "2-grams")]
    assert "<summary>1-grams · 2-grams</summary>" in shown(*beside).html()
    assert FOLD not in shown(beside[0]).html()


def test_a_matrix_as_html_is_a_picture_that_is_darker_where_there_is_more() -> None:
    (matrix,) = (block for block in BLOCKS if isinstance(block, Matrix))
    page = shown(matrix).html(style=False)
    assert "counts; rows: actual, columns: predicted</figcaption>" in page
    assert "<title>actual i&lt;j, predicted k: 1</title>" in page
    assert re.findall(r'fill-opacity="(.*?)"', page) == ["0.395", "0.185", "0.080", "0.500"]
    assert page.count('<g class="trace-circle">') == page.count('<g class="trace-triangle">') == 2


def of_words(count: int) -> Matrix:
    words = tuple(f"word{at}" for at in range(count))
    return Matrix(name="m", axes=("own", "its"), labels=words, cells=((0.5,) * count,) * count, marked=())


def test_a_matrix_of_many_columns_keeps_the_size_of_its_letters() -> None:
    few, many = of_words(5), of_words(40)
    assert few.fits
    assert not few.is_upright
    assert not many.fits
    assert many.is_upright
    assert many.step == 44  # as wide as its numbers, not as its names
    assert many.top > 6 * len("word39")
    small, large = (shown(block).html() for block in (few, many))
    assert 'class="trace-picture trace-fits"' in small
    assert "rotate(-90" not in small
    assert 'class="trace-picture trace-fits"' not in large
    assert large.count("rotate(-90") == 40
