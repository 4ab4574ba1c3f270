"""The texts for the comparisons of speed."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Corpus", "flickr", "generated", "newstest", "newstest_english"]

DATA = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Corpus:
    """The outputs of systems, with their common reference.

    Attributes
    ----------
    name : str
    systems : list of list of str
    reference : list of str
    """

    name: str
    systems: list[list[str]]
    reference: list[str]

    @property
    def predictions(self) -> list[str]:
        """The outputs of all systems, one after another."""
        return [text for system in self.systems for text in system]

    @property
    def references(self) -> list[str]:
        """The reference of each prediction."""
        return self.reference * len(self.systems)

    @property
    def bytes(self) -> int:
        """The size of predictions and references in UTF-8, with line ends."""
        return sum(len(text.encode()) + 1 for text in [*self.predictions, *self.references])


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def newstest() -> Corpus | None:
    """newstest2017 English-German with its 16 systems, or None if it is not available."""
    folder = DATA / "wmt17_ende"
    if not folder.is_dir():
        return None
    systems = [_lines(path) for path in sorted((folder / "systems").iterdir())]
    return Corpus("newstest2017 en-de, 16 systems", systems, _lines(folder / "reference.de"))


def newstest_english(systems: int = 4) -> Corpus | None:
    """newstest2017 German-English with some of its systems, or None if it is not available."""
    folder = DATA / "wmt17_da"
    if not folder.is_dir():
        return None
    paths = sorted((folder / "system-outputs" / "de-en").iterdir())[:systems]
    reference = _lines(folder / "references" / "newstest2017-deen-ref.en")
    return Corpus(f"newstest2017 de-en, {systems} systems", [_lines(path) for path in paths], reference)


def flickr(images: int = 5_000, references: int = 5, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """Captions of Flickr8k, drawn with replacement: one caption and its references for each image.

    Without that data, the captions are generated.
    """
    chance = random.Random(seed)
    path = DATA / "flickr8k_expert" / "flickr8k_expert.jsonl"
    if not path.is_file():
        corpus = generated(references + 1, images, seed)
        first, *others = corpus.systems
        return first, [list(own) for own in zip(*others, strict=True)]
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    drawn = chance.choices(rows, k=images)
    return [row["hypothesis"] for row in drawn], [chance.sample(row["references"], references) for row in drawn]


def generated(systems: int = 16, segments: int = 3_004, seed: int = 1) -> Corpus:
    """The same number of pairs, of invented words. The vocabulary and the matches are like those of real text."""
    chance = random.Random(seed)
    letters = "enisratdhulcgmobwfkzvpüäößjyxq"
    words = ["".join(chance.choices(letters, range(30, 0, -1), k=chance.randint(2, 12))) for _ in range(40_000)]
    frequencies = [1 / rank for rank in range(1, len(words) + 1)]

    def sentence() -> list[str]:
        return chance.choices(words, frequencies, k=chance.randint(5, 35))

    reference = [sentence() for _ in range(segments)]

    def output(tokens: list[str]) -> str:
        kept = [token if chance.random() < 0.6 else chance.choice(words) for token in tokens]
        return " ".join(kept).replace(" e ", ", ") + "."

    return Corpus(
        f"generated text, {systems} systems",
        [[output(tokens) for tokens in reference] for _ in range(systems)],
        [" ".join(tokens) + "." for tokens in reference],
    )
