"""METEOR 1.5's own classes, in one Java process for all tests."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from metrologue.errors import InputError
from metrologue.text.lexicon import meteor_jar


class Meteor:
    """What METEOR's Java makes of texts.

    Parameters
    ----------
    jar : Path
    """

    def __init__(self, jar: Path) -> None:
        source = Path(__file__).with_name("MeteorProbe.java")
        self.process = subprocess.Popen(
            ["java", "-Duser.language=en", "-cp", str(jar), str(source)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="ascii",
        )

    def ask(self, command: str, texts: Sequence[str], option: str = "-") -> list[list[str]]:
        """The answers to a command, for each text."""
        assert self.process.stdout
        # Written from a thread of its own: neither pipe may fill up while nobody reads the other.
        questions = "".join(f"{command} {option} {text.encode('utf-16-be').hex()}\n" for text in texts)
        writer = threading.Thread(target=self._write, args=(questions,))
        writer.start()
        answers = [self.process.stdout.readline().split() for _ in texts]
        writer.join()
        return answers

    def _write(self, questions: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(questions)
        self.process.stdin.flush()

    def words(self, command: str, texts: Sequence[str], option: str = "-") -> list[list[str]]:
        """Answers that are words."""
        return [[bytes.fromhex(word).decode("utf-16-be") for word in row] for row in self.ask(command, texts, option)]

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


@pytest.fixture(scope="session")
def meteor() -> Iterator[Meteor]:
    """One process, skipped where Java with its compiler, or the jar, is missing."""
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    try:
        jar = meteor_jar()
    except InputError as error:
        pytest.skip(str(error))
    probe = Meteor(jar)
    if probe.ask("hash", ["Aa"]) != [["2112"]]:
        pytest.skip("java cannot run a source file here: a JDK of 11 or newer is needed")
    yield probe
    probe.close()
