"""What the package summ-eval gives for ROUGE-WE, recorded.

    python tests/metrics/rouge_we/record.py PACKAGE

PACKAGE is the unpacked wheel of summ-eval 0.892. Its module s3_utils needs nltk, scipy and six. When it is imported, it
reads nltk's stop words, and gets an empty list: ROUGE-WE does not use them. References are given as lists of sentences.
As plain texts, the function would take several references for lists of letters.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

NOUNS = ["cat", "cats", "kitten", "dog", "dogs", "puppy", "bird", "house", "home", "river"]
TEXT = "the a sat sits ran runs big large small on in über Xylo 42 well-known"
OTHERS = TEXT.split()
MARKS = [",", ".", "!", "-"]
WIDTH, TEXTS = 4, 40


def vectors(chance: random.Random) -> str:
    """Vectors of quarters, which float32 holds; some are about the same, and one is zero."""
    rows = []
    for word in [*NOUNS, *OTHERS[:-2]]:
        if word != "Xylo":
            base = random.Random(word[:3]).choices(range(-8, 9), k=WIDTH)
            numbers = [number / 4 + chance.choice([0, 0, 0.25, -0.25]) for number in base]
            rows.append(" ".join([word, *map(str, numbers if word != "in" else [0.0] * WIDTH)]))
    return "\n".join(rows) + "\n"


def text(chance: random.Random) -> str:
    words = [chance.choice(chance.choice([NOUNS, OTHERS])) for _ in range(chance.choice([0, 1, 2, 4, 8, 12, 20]))]
    words = [word.upper() if chance.random() < 0.1 else word for word in words]
    return " ".join(word + chance.choice(MARKS) if chance.random() < 0.1 else word for word in words)


def changed(given: str, chance: random.Random) -> str:
    """The text with some words replaced, left out or moved."""
    found = [chance.choice(NOUNS) if chance.random() < 0.3 else word for word in given.split()]
    if chance.random() < 0.3:
        chance.shuffle(found)
    return " ".join(word for word in found if chance.random() < 0.9)


def program(package: Path) -> Any:
    """The module of the package."""
    import nltk.corpus

    nltk.corpus.stopwords = types.SimpleNamespace(words=lambda language: [])
    sys.path.insert(0, str(package))
    from summ_eval import s3_utils

    return s3_utils


def main(package: Path) -> None:
    chance = random.Random(1)
    table = vectors(chance)
    predictions = [text(chance) for _ in range(TEXTS)]
    references = [[changed(each, chance) for _ in range(chance.choice([1, 1, 2, 3]))] for each in predictions]
    s3 = program(package)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vectors").write_text(table, "utf-8")
        known = s3.load_embeddings(Path(folder) / "vectors")
    for name, order, alpha in (("summ-eval", 3, 0.5), ("s3", 2, 0.0)):
        scores = [
            s3.rouge_n_we([text], [[each] for each in own], known, order, alpha, return_all=True, tokenize=True)
            for text, own in zip(predictions, references, strict=True)
        ]
        made = {
            "tool": "summ-eval", "version": "0.892",
            "command": f"rouge_n_we([text], references, vectors, {order}, {alpha}, return_all=True, tokenize=True)",
            "vectors": table, "predictions": predictions, "references": references,
            "scores": [[float(each) for each in own] for own in scores],
        }  # fmt: skip
        content = json.dumps(made, ensure_ascii=False, indent=1)
        Path(__file__).with_name(f"{name}.json").write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
