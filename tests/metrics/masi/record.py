"""What masi_distance of nltk 3.8.1 returns, recorded.

pip install --no-deps --target FOLDER nltk==3.8.1
PYTHONPATH=FOLDER python tests/metrics/masi/record.py > tests/metrics/masi/nltk-3.8.1.json
"""

from __future__ import annotations

import json
import random
from typing import Any

PAIRS = [
    ("a b c", "b c d"),
    ("a b", "a b c d"),
    ("a b c d", "a b"),
    ("a", "b"),
    ("a b", "b a"),
    ("a", ""),
    ("", "a"),
    ("a a a", "a"),
    ("猫 は マット", "猫 は 上"),
    ("İ ß é", "i\u0307 ss e\u0301"),
    ("type:desk colour:red size:large", "type:desk colour:red"),
]


def generated(count: int) -> list[tuple[str, str]]:
    """Sets of few letters, of each case of monotonicity."""
    draw = random.Random(0)

    def text() -> str:
        return " ".join(draw.sample("abcdefgh", draw.randint(1, 8)))

    return [(text(), text()) for _ in range(count)]


def main() -> dict[str, Any]:
    """The texts, and the distance of each pair."""
    import nltk
    from nltk.metrics.distance import masi_distance

    pairs = PAIRS + generated(60)
    return {
        "tool": "nltk",
        "version": nltk.__version__,
        "command": "masi_distance(set(a.split()), set(b.split())), of each pair",
        "predictions": [own for own, _ in pairs],
        "references": [[other] for _, other in pairs],
        "distances": [masi_distance(set(own.split()), set(other.split())) for own, other in pairs],
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=1, ensure_ascii=False))
