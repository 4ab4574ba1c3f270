"""The trace of CIDEr: its tables make the score, and it has the weights of all segments."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue import trace
from metrologue.cli import main
from metrologue.pages.page_parts import show_texts
from metrologue.scorers import Cider
from metrologue.segments import Segments

REFERENCES = [
    ["a cat sits on the mat", "the cat is on the mat"],
    ["a dog runs in the park", "a brown dog is running"],
    ["two people ride bikes", "people on bikes"],
]
HYPOTHESES = ["a cat is on the mat mat mat", "a dog is running in the park", "people ride bikes on the road"]


@pytest.mark.parametrize("variant", Cider.variants())
@pytest.mark.parametrize("join", ["mean", "best"])
def test_the_cosines_make_the_score(variant: str, join: str) -> None:
    scorer = Cider.variant(variant, multi_reference=join).fit(Segments(HYPOTHESES, REFERENCES))
    for text, own, score in zip(HYPOTHESES, REFERENCES, scorer.segments(HYPOTHESES, REFERENCES), strict=True):
        found = trace(scorer, text, own)
        assert found.value == pytest.approx(score, rel=1e-12)
        columns = [found.table(f"cosines with reference {i}").numbers("with penalty") for i in (1, 2)]
        means = [10 * sum(column) / 4 for column in columns]
        together = max(means) if join == "best" else sum(means) / 2
        assert together == pytest.approx(score, rel=1e-12)
        assert found.formula.startswith("CIDEr = 10 · (")


def test_the_heaviest_ngrams() -> None:
    found = trace(Cider().fit(Segments(HYPOTHESES, REFERENCES)), HYPOTHESES[0], REFERENCES[0])
    table = found.table("1-grams with reference 1")
    first = table.rows[0].cells
    assert (first[0].tokens, first[0].state) == (("mat",), "clipped")  # type: ignore[union-attr]  # it is a Span
    assert first[1:] == pytest.approx((math.log(3), 3, 1, 3 * math.log(3), math.log(3)), rel=1e-12)
    heaviest = [max(pair) for pair in zip(*map(table.numbers, table.header[-2:]), strict=True)]
    assert heaviest == sorted(heaviest, reverse=True)
    assert "and 2 lighter ones" in table.caption
    states = {row.state for block in (1, 2) for row in found.table(f"2-grams with reference {block}").rows}
    assert states == {"matched", "missing"}
    assert "● cat" in found.text()
    assert "<table" in found.html()


def test_a_single_image_says_why_it_is_zero() -> None:
    found = trace("cider:coco", HYPOTHESES[0], REFERENCES[0])
    assert found.value == 0
    assert any("single image" in remark for remark in found.remarks)


def test_the_command_and_the_page_have_the_weights_of_all_segments(tmp_path: Path) -> None:
    for name, lines in (("h", HYPOTHESES), *((f"r{i}", [own[i] for own in REFERENCES]) for i in (0, 1))):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    files = [f"{tmp_path}/{name}" for name in ("h", "r0", "r1")]
    command = ["trace", "cider", "-p", files[0], "-r", files[1], "-r", files[2], "--segment", "2"]
    printed = CliRunner().invoke(main, command)
    score = Cider().segments(HYPOTHESES, REFERENCES)[1]
    assert printed.exit_code == 0
    assert float(printed.stdout.splitlines()[0].rpartition("= ")[2]) == pytest.approx(score, rel=1e-12)
    texts = "\n".join(HYPOTHESES), "\n\n".join(map("\n".join, REFERENCES))
    assert f"{score:.10g}"[:8] in show_texts("cider", "coco", *texts, 1).trace
