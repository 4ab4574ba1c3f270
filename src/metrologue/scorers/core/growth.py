"""How the time that a segment takes grows with its texts, for metrics where it grows faster than these."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Growth"]


class Growth(NamedTuple):
    """The time for a prediction and a text beside it, as a power of the length of the longer one.

    Attributes
    ----------
    unit : str
        "words" or "characters", of which a length is the number.
    power : int
    longest : int
        Texts of this length take some seconds at worst.
    most : int, optional
        The same for the number of texts that are compared with each other, where their time or memory grows with its
        square: those of a segment. None: it does not.
    """

    unit: str
    power: int
    longest: int
    most: int | None = None
