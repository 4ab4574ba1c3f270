"""Libraries that misbehave: they hang, raise, print, exit, or change what they are given."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from metrologue.comparison.libraries import Library, Scores


class Fake(Library):
    """BLEU of nltk, after something else."""

    name = "nltk"
    distributions = ("numpy",)

    def __init__(self, folder: Path | None = None, where: str = "") -> None:
        self.folder_of_notes = folder
        self.where = where

    def note(self, name: str, text: str) -> None:
        """Leave a note for the test, which runs in another process."""
        assert self.folder_of_notes
        with (self.folder_of_notes / name).open("a") as file:
            file.write(f"{text}\n")

    def score_bleu(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """nltk's number, unless the texts of this library's system make it misbehave."""
        from metrologue.scorers import Bleu

        if self.where in predictions[0]:
            self.misbehave(predictions, references)
        return {"bleu": Bleu.variant("nltk").corpus(predictions, references).value}

    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        """What the subclass does."""


class Raising(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        raise ZeroDivisionError("by\nzero")


class Hanging(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        self.note("processes", f"{os.getpid()} {child.pid}")
        time.sleep(600)


class Spinning(Fake):
    """It never lets go of the interpreter's lock."""

    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        import re

        self.note("processes", str(os.getpid()))
        re.match(r"(a+)+$", "a" * 40 + "b")


class Slow(Fake):
    """It takes 5 ms for each segment."""

    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        time.sleep(0.005 * len(predictions))


class Exiting(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        print("no luck", file=sys.stderr, flush=True)
        os._exit(3)


class Leaving(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        sys.exit("enough")


class Killed(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        import signal

        os.kill(os.getpid(), signal.SIGKILL)


class Printing(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        print("hello from Python")
        sys.stdout.flush()
        os.write(1, b"hello from C\n")
        print("an error", file=sys.stderr)
        sys.stdin.read()


class Changing(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        predictions[0] += " and more"
        references[0].append("another one")


class Wrong(Fake):
    def score_bleu(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        return {"bleu": 0.1234}


class Counting(Fake):
    def misbehave(self, predictions: list[str], references: list[list[str]]) -> None:
        self.note("calls", f"{os.getpid()} {len(predictions)}")
