"""nltk's lists of characters by category, perluniprops, which it downloads: here from Python's own table."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

__all__ = ["make_perluniprops"]

_CATEGORIES = {"Number": "N", "Punctuation": "P", "Symbol": "S"}


def make_perluniprops(folder: Path) -> None:
    """Put the lists where nltk looks once `folder` is on ``nltk.data.path``."""
    target = folder / "misc" / "perluniprops"
    target.mkdir(parents=True)
    characters = [*map(chr, range(sys.maxunicode + 1))]
    for name, letter in _CATEGORIES.items():
        chosen = "".join(c for c in characters if unicodedata.category(c).startswith(letter))
        (target / f"{name}.txt").write_text(chosen, "utf-8")
