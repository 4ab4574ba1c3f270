"""Noise: words that are left out or said twice, in right claims and in wrong ones."""

from __future__ import annotations

import re

import numpy as np

from metrologue.scorers.factcc.corruptions.edits import Edit, Span

__all__ = ["noise"]

_WORD = re.compile(r"\S+")


def noise(text: str, draw: np.random.Generator, spared: Span | None = None, share: float = 0.05) -> list[Edit]:
    """Edits that leave out some words (four of five) or double them.

    Parameters
    ----------
    text : str
    draw : numpy.random.Generator
    spared : (int, int), optional
        A span whose words stay as they are.
    share : float
        How probably a word is changed. FactCC has .05.

    Examples
    --------
    >>> from metrologue.scorers.factcc.corruptions import edited
    >>> edited("one two three four", noise("one two three four", np.random.default_rng(1), share=0.5))[0]
    'one two two four'
    """
    edits = []
    for word in _WORD.finditer(text):
        start, stop = word.span()
        chance, which = draw.random(2)
        touched = spared is not None and start < spared[1] and spared[0] < stop
        if chance >= share or touched:
            continue
        if which >= 0.8:
            edits.append(Edit(start, stop, f"{word[0]} {word[0]}"))
        else:  # with the space after it, or at the end the one before
            after = stop + (stop < len(text))
            edits.append(Edit(start, after, ""))
    return edits if len(edits) < len(text.split()) else []
