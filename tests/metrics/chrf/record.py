"""What the author's program chrF++.py makes of generated and of real text.

    python tests/metrics/chrf/record.py DATA CHECKOUT

DATA has the public test data, CHECKOUT is one of m-popovic/chrF. The numbers are in ``chrf++.py.json`` beside this
file.
"""

from __future__ import annotations

import json
import random
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
Corpus = tuple[list[str], list[list[str]]]
WORDS = [
    "the", "cat", "cats", "(sat)", "sat.", "'s", "--", ".", "!?", "mat,", "\"on", "Zürich", "é", "e\u0301", "собака",
    "猫", "が", "😀", "3.5", "x",
]  # fmt: skip
BLANKS = [" "] * 8 + ["  ", "\t", "\u3000", "\u00a0", ""]
OPTIONS = {"": (2, 6, 2.0), "-nw 0": (0, 6, 2.0), "-nc 4 -nw 1 -b 3": (1, 4, 3.0)}


def cases(count: int = 20) -> dict[str, Corpus]:
    """Generated corpora. A hypothesis has a character of its references: without one, the program fails."""

    def generated(seed: int) -> Corpus:
        draw = random.Random(seed)

        def text(longest: int) -> str:
            return "x" + "".join(draw.choice(WORDS) + draw.choice(BLANKS) for _ in range(draw.randrange(longest)))

        count, longest = draw.randrange(1, 5), draw.choice([2, 4, 20])
        return [text(longest) for _ in range(count)], [
            [text(longest) for _ in range(draw.randrange(1, 4))] for _ in range(count)
        ]

    unmatched = ["the cat", "the mat", "qqq"], [["the cats"], ["a mat"], ["zz"]]
    return {"a segment without a match": unmatched, **{f"generated {seed}": generated(seed) for seed in range(count)}}


def main(every: dict[str, Corpus], checkout: Path, folder: Path = HERE) -> None:
    compute = runpy.run_path(str(checkout / "chrF++.py"))["computeChrF"]

    def run(corpus: Corpus, words: int, characters: int, beta: float) -> dict[str, float]:
        lines = [f"{text}\n" for text in corpus[0]], ["*#".join(texts) + "\n" for texts in corpus[1]]
        whole, mean, *_ = compute(lines[1], lines[0], words, characters, beta)
        return {"F": 100 * whole, "avgF": 100 * mean}

    found = {
        "tool": "github.com/m-popovic/chrF",
        "version": "6d3c384",
        "commands": {options: f"chrF++.py -R reference -H hypothesis {options}".strip() for options in OPTIONS},
        "printed": {
            options: {name: run(corpus, *given) for name, corpus in every.items()} for options, given in OPTIONS.items()
        },
    }
    (folder / "chrf++.py.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "helpers")]
    from parity.real_text import real_text

    real = {f"real {name}": corpus for name, corpus in real_text(Path(sys.argv[1]), 20).items()}
    main({**cases(), **real}, Path(sys.argv[2]))
