"""What the steps of a reading take and give: a page, the state of a column between two of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from metrologue.errors import InputError, shown
from metrologue.text.tokenizers.base import Tokens
from metrologue.text.tokenizers.sentences import Sentences as Parts

__all__ = ["Page", "Reading", "Step"]


class Page(NamedTuple):
    """The state of a column between two steps: its sentences, and after `Tokenize` their tokens.

    Attributes
    ----------
    parts : metrologue.text.tokenizers.sentences.Sentences
        The sentences of each text. A text that is not cut is one sentence.
    tokens : Tokens or None
        The tokens of each sentence; None before `Tokenize`.
    """

    parts: Parts
    tokens: Tokens | None = None

    def cut(self) -> Tokens:
        """The tokens.

        Raises an InputError if no earlier step has cut the texts into tokens.
        """
        if self.tokens is None:
            raise InputError("a reading needs one `Tokenize`, before its steps on tokens.")
        return self.tokens

    def uncut(self) -> Parts:
        """The sentences. Raises an InputError if an earlier step has cut them into tokens."""
        if self.tokens is not None:
            raise InputError("a reading needs one `Tokenize`, after its steps on texts.")
        return self.parts


@dataclass(frozen=True)
class Step(ABC):
    """One step of a reading. Two steps of one class with equal fields are equal.

    A class without fields of its own needs no decorator, which takes half a millisecond of every start.
    """

    @abstractmethod
    def __call__(self, page: Page) -> Page:
        """The column after the step."""

    def _require(self, field: str, holds: bool, expected: str) -> None:
        if not holds:
            value = shown(getattr(self, field))
            raise InputError(f"{type(self).__name__}: `{field}` is {value}; {expected} is expected.")

    def _require_count(self, field: str, least: int) -> None:
        value = getattr(self, field)
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= least
        self._require(field, is_count, f"an int of {least} or more")

    def _require_one_of(self, field: str, values: Collection[str]) -> None:
        value = getattr(self, field)
        self._require(field, isinstance(value, str) and value in values, " or ".join(values))


# The steps in their order. A column is read only once for equal readings.
Reading = tuple[Step, ...]
