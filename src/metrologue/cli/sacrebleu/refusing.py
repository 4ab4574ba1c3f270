"""What sacrebleu's command refuses, and how: a message, and its exit status."""

from __future__ import annotations

import os
from typing import NoReturn

import click

from metrologue.errors import shown
from metrologue.files.values import whole_of_text

__all__ = ["refuse", "seed"]


class _Refused(click.ClickException):
    """An error with an exit status of its own."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # click reads it from the instance
        return self.status


def refuse(message: str, status: int = 1) -> NoReturn:
    """End with a message on standard error, and the exit status that sacrebleu has for it."""
    raise _Refused(message, status)


def seed() -> tuple[int | None, str]:
    """The seed by ``SACREBLEU_SEED``, and as it is spelled there. "none" stands for a new one each time."""
    given = os.environ.get("SACREBLEU_SEED", "12345")
    if given.lower() == "none":
        return None, "none"
    if (number := whole_of_text(given)) is None:
        refuse(f"SACREBLEU_SEED is {shown(given)}; a whole number of at most 18 digits, or none, is expected.")
    return number, given
