r"""What the MATH benchmark's program says of pairs of answers, recorded: the Hub's `competition_math` calls it.

    git clone https://github.com/hendrycks/math FOLDER
    python tests/metrics/exact_match/record.py FOLDER

writes ``math.json`` beside this file: texts, and which of them the program takes for the same answer.
"""

from __future__ import annotations

import json
import random
import runpy
import sys
from pathlib import Path

COMMIT = "985bdc1"
ANSWERS = [
    "", " ", "0.5", ".5", "0.50", "1/2", " 1/2", "-1/2", "01/2", "1/2/3", "a/b", "x = 1/2", "x=0.5", "xyz=0.5", "a=b=c",
    r"\frac12", r"\frac{1}{2}", r"\frac1{2}", r"\frac{1}2", r"\tfrac12", r"\dfrac 12", r"\frac1", r"\frac",
    r"\frac1\frac12", r"\sqrt3", r"\sqrt{3}", r"\sqrt 3", r"\sqrt", r"2\sqrt\sqrt3", r"5\text{ cm}", r"5\text{cm}", "5",
    r"5\text{ cm}\text{ }", r"\$5", "$5$", r"5\%", "5%", r"\\%5", r"5^\circ", r"5^{\circ}", r"\left(5\right)", "(5)",
    "1,000", r"1,\!000", "1\n,000",
    "x^{.5}", "x^{0.5}", "a .5", "a 0.5", r"\text{even}", "кот", r"\\frac12",
]  # fmt: skip
PARTS = [
    "\\", "\\!", "\n", "\\\\", "tfrac", "\\frac", "\\left", "^\\circ", "\\$", "\\text{ ", "\\%", " ", ".", "{", "}",
    "0.5", "1", "12", "-", "/", "=", "x", "\\sqrt", "é",
]  # fmt: skip


def generated(count: int) -> list[str]:
    """Texts of a few parts, among them many that the program fails on."""
    draw = random.Random(0)
    return ["".join(draw.choices(PARTS, k=draw.randint(1, 5))) for _ in range(count)]


def main(folder: Path) -> None:
    same = runpy.run_path(str(folder / "modeling" / "math_equivalence.py"))["is_equiv"]
    texts = [*dict.fromkeys(ANSWERS + generated(300))]
    pairs = [[i, j] for i, one in enumerate(texts) for j, other in enumerate(texts) if i < j and same(one, other)]
    recorded = {"commit": COMMIT, "texts": texts, "same": pairs}
    Path(__file__).with_name("math.json").write_text(json.dumps(recorded, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
