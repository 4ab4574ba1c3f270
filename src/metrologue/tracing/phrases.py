"""The phrases that a text has in common with others, each with a colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["HUES", "phrases"]

# So many colours take turns.
HUES = 6


def phrases(hypothesis: Sequence[str], references: Sequence[Sequence[str]], least: int = 1) -> list[list[int]]:
    """The colour of each token of each text: the longest phrases that the hypothesis has in common with a reference.

    Both sides are cut greedily from the left. Each phrase of the hypothesis has a number, and a phrase of a reference
    has the number of the place in the hypothesis where it stands first.

    A phrase has `least` tokens or more.

    Examples
    --------
    >>> phrases("the cat sat on the mat".split(), ["on the mat the cat".split()])
    [[1, 1, 0, 2, 2, 2], [2, 2, 2, 1, 1]]
    """
    colours = [0] * len(hypothesis)
    for number, (start, length, _) in enumerate(_runs(hypothesis, references, least)):
        colours[start : start + length] = [1 + number % HUES] * length
    all_colours = [colours]
    for reference in references:
        hues = [0] * len(reference)
        for start, length, place in _runs(reference, [hypothesis], least):
            hue = next((hue for hue in colours[place : place + length] if hue), 0)
            hues[start : start + length] = [hue] * length
        all_colours.append(hues)
    return all_colours


def _runs(text: Sequence[str], others: Sequence[Sequence[str]], least: int) -> Iterator[tuple[int, int, int]]:
    """The longest phrases of a text that one of the others has: start, length, and the place in the other text."""
    places: list[dict[str, list[int]]] = []
    for other in others:
        where: dict[str, list[int]] = {}
        for place, token in enumerate(other):
            where.setdefault(token, []).append(place)
        places.append(where)
    start = 0
    while start < len(text):
        length, place = 0, 0
        for other, where in zip(others, places, strict=True):
            for candidate in where.get(text[start], ()):
                end = 1
                while (
                    start + end < len(text)
                    and candidate + end < len(other)
                    and text[start + end] == other[candidate + end]
                ):
                    end += 1
                if end > length:
                    length, place = end, candidate
        if length >= least:
            yield start, length, place
        start += max(1, length if length >= least else 1)
