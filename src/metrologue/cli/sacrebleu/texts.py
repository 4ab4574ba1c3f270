"""The texts of a call."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Texts"]


@dataclass(frozen=True)
class Texts:
    """The systems by their names, and the lines of each reference.

    Attributes
    ----------
    systems : dict of str to n str
    references : list of n str, for each reference
    languages : (str, str)
        The codes of the source's and the target's language; empty if they are not given.
    """

    systems: dict[str, list[str]]
    references: list[list[str]]
    languages: tuple[str, str]
