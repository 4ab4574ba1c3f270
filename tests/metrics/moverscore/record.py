"""What the package moverscore gives, recorded.

    python tests/metrics/moverscore/record.py FOLDER

FOLDER has the packages moverscore (1.0.3) and pyemd (1.1.0): pip install --no-deps --target FOLDER moverscore pyemd.
torch is installed too. The program's own code runs, with small vectors in place of a model's. They are float64: in
float32 its distance of a token from itself is not 0.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from metrologue.comparison.libraries.moverscore import MoverscorePackage, program

ADDED = ["[PAD]", "[CLS]", "[SEP]"]
TEXT = "cat dog bird ##s ##ing run sat , . ! the of on mat tree house river stone bread water"
WORDS = [*ADDED, *TEXT.split()]
WIDTH, TEXTS = 5, 30


def vectors(chance: random.Random) -> list[list[float]]:
    """Vectors of quarters, of which none is zero."""
    return [[chance.choice([-6, -3, -1, 1, 2, 5]) / 4 for _ in range(WIDTH)] for _ in WORDS]


class Tokenizer:
    """The words between spaces."""

    max_len = 64

    def tokenize(self, text: str) -> list[str]:
        return text.split()

    def convert_tokens_to_ids(self, tokens: list[str]) -> list[int]:
        return [*map(WORDS.index, tokens)]


class Model:
    """The vector of each word, whatever is beside it."""

    def __init__(self, table: list[list[float]]) -> None:
        import torch

        self.table = torch.tensor(table, dtype=torch.float64)

    def eval(self) -> None:
        """It is ready."""

    def to(self, _device: str) -> None:
        """It stays where it is."""

    def __call__(self, input_ids: Any, attention_mask: Any) -> tuple[Any, Any, None]:
        found = self.table[input_ids]
        return found, (found,), None


def text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS[len(ADDED) :], k=chance.choice([0, 1, 2, 4, 7, 12])))


def main(folder: Path) -> None:
    sys.path.append(str(folder))
    chance = random.Random(1)
    table = vectors(chance)
    predictions = [text(chance) for _ in range(TEXTS)]
    references = [[text(chance) for _ in range(chance.choice([1, 1, 2]))] for _ in predictions]
    references[:3] = [[each] for each in predictions[:3]]
    module = program(Tokenizer(), Model(table))
    made: dict[str, Any] = {
        "tool": "moverscore", "version": "1.0.3",
        "command": "word_mover_score(references, translations, idf_dict_ref, idf_dict_hyp, device='cpu')",
        "words": WORDS, "vectors": table, "predictions": predictions, "references": references,
    }  # fmt: skip
    for name, idf in (("moverscore", False), ("moverscore-idf", True)):
        rows = MoverscorePackage.of_program(module, predictions, references, idf=idf)
        made[name] = [row["moverscore"] for row in rows]
    content = json.dumps(made, ensure_ascii=False, indent=1)
    Path(__file__).with_name("moverscore.json").write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
