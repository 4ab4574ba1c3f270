"""METEOR 1.5: its original jar, in one Java process that stays open."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import Any

from metrologue.comparison.libraries.base import Available, Library, LibraryError, Missing, References, Scores, Texts

__all__ = ["Meteor", "java"]

SEPARATOR = " ||| "
SIDES = ("hypothesis", "reference")
# The program's statistics of a pair of texts, in its order. All but the last two count words, or characters with -ch.
BY_STAGE = [f"{stage}_{side}_{kind}_count" for stage in "1234" for kind in ("content", "function") for side in SIDES]
STATISTICS = (
    *(f"{side}_{kind}" for kind in ("length", "function_length") for side in SIDES),
    *BY_STAGE,
    "chunk_count",
    *(f"{side}_match_count" for side in SIDES),
)
# What is learned from the score of statistics without chunks, which have no penalty unless beta is 0.
WITHOUT_PENALTY = ("precision", "recall", "f1", "fmean", "penalty")


class Meteor(Library):
    """METEOR 1.5 by its own protocol: statistics of pairs of texts, and scores of statistics."""

    name = "meteor-1.5"
    distributions = ("pycocoevalcap",)

    def status(self, metric: str | None = None) -> Available | Missing:
        """The status of every library, unless ``$METEOR_JAR`` names the program. Java must be installed too."""
        status = Available("1.5") if os.environ.get("METEOR_JAR") else super().status(metric)
        return status if isinstance(status, Missing) else java() or Available("1.5")

    def score_meteor(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The program's score of the sum of all segments' statistics; for ``options`` see ``command_line``."""
        with running(command_line(**options)) as program:
            rows = program.statistics(predictions, references)
            total = {name: sum(row[name] for row in rows) for name in STATISTICS}
            [scores] = program.numbers([total], program.evaluate(rows)[-1:], whole=[sum(map(_is_whole, rows))])
        return _by_name(scores, **options)

    def segments_meteor(self, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        """The program's numbers of each segment."""
        with running(command_line(**options)) as program:
            rows = program.statistics(predictions, references)
            found = program.numbers(rows, program.evaluate(rows)[:-1], whole=[*map(_is_whole, rows)])
        return [_by_name(scores, **options) for scores in found]


@cache
def java() -> Missing | None:
    """What is missing to run METEOR in Java, or None."""
    if shutil.which("java") and not subprocess.run(["java", "-version"], capture_output=True).returncode:
        return None
    return Missing("java not installed", "apt install default-jre-headless, or any Java from 8 on")


def command_line(
    *,
    language: str = "en",
    task: str | None = None,
    norm: bool = False,
    lower: bool = False,
    characters: bool = False,
    parameters: Sequence[float] | None = None,
    modules: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
    paraphrases: str | None = None,
    jar: str | None = None,
) -> tuple[str, ...]:
    """The command that starts the program.

    Parameters
    ----------
    language, task : str
        -l and -t.
    norm, lower : bool
        -norm (split off punctuation, fold case) and -lower.
    characters : bool
        -ch: count characters. The documentation says that the task util implies it, but it does not.
    parameters : four float
        -p: alpha, beta, gamma and delta.
    modules : sequence of str
        -m: the stages.
    weights : sequence of float
        -w: one for each stage.
    paraphrases : str
        -a: a file of paraphrases. Without it, the program takes the language's file from its folder `data`.
    jar : str
        The program. Default: ``$METEOR_JAR``, or pycocoevalcap's jar if that is not set.
    """
    from metrologue.text.lexicon import meteor_jar

    listed = {"-p": parameters, "-m": modules, "-w": weights}
    return (
        # The protocol's numbers have decimal points in every country.
        *("java", "-Xmx2G", "-Duser.language=en", "-Duser.country=US"),
        *("-jar", str(meteor_jar(jar)), "-", "-", "-stdio", "-l", language),
        *(("-t", task) if task else ()),
        *(("-norm",) if norm else ()),
        *(("-lower",) if lower else ()),
        *(("-ch",) if characters else ()),
        *(part for name, values in listed.items() if values for part in (name, " ".join(map(str, values)))),
        *(("-a", paraphrases) if paraphrases else ()),
    )


_lock = Lock()
_programs: dict[tuple[str, ...], _Program] = {}


@contextmanager
def running(command: tuple[str, ...]) -> Iterator[_Program]:
    """The running program of this command. One is kept, because it takes seconds and a gigabyte to load English."""
    with _lock:
        if command not in _programs or _programs[command].java.poll() is not None:
            close()
            _programs[command] = _Program(command)
        yield _programs[command]


@atexit.register
def close() -> None:
    """End the kept program, if there is one."""
    while _programs:
        _programs.popitem()[1].end()


def _question(index: int, prediction: str, references: Sequence[str]) -> str:
    """The line that asks for a segment's statistics. Line ends become spaces, as they are whitespace to the program."""
    texts = [text.replace("\r", " ").replace("\n", " ") for text in (*references, prediction)]
    if any("|||" in text for text in texts):
        where = f"segment {index + 1}, counted from 1,"
        raise LibraryError(f"meteor-1.5: a text of {where} has '|||', which separates texts in its protocol")
    return SEPARATOR.join(("SCORE", *texts))


def _is_whole(row: Scores) -> bool:
    """Whether all words match in one chunk. Such a segment has no penalty, and adds none to others."""
    matched = {side: sum(row[name] for name in BY_STAGE if side in name) for side in SIDES}
    return row["chunk_count"] == 1 and all(matched[side] == row[f"{side}_length"] for side in SIDES)


def _unbroken(row: Scores, side: str | None = None) -> Scores:
    """The statistics with 0 chunks. With `side`, both texts have the statistics of that side."""
    other = SIDES[side == SIDES[0]]
    return {name: row[name.replace(other, side) if side else name] for name in STATISTICS} | {"chunk_count": 0.0}


def _by_name(
    scores: Scores,
    *,
    language: str = "en",
    modules: Sequence[str] | None = None,
    parameters: Sequence[float] | None = None,
    **_: Any,
) -> Scores:
    """The numbers with names of stages. The protocol has numbers for these. Stages that did not run are dropped.

    With a beta of 0 the program tells the score only: every text has the penalty.
    """
    from metrologue.scorers.meteor import task_fields

    stages = dict(zip("1234", modules or task_fields(language=language)["stages"], strict=False))
    untold = WITHOUT_PENALTY if parameters and not parameters[1] else ()
    parts = {name: name.partition("_") for name in scores if name not in untold}
    return {
        f"{stages.get(head, head)}_{rest}" if rest else name: scores[name]
        for name, (head, _, rest) in parts.items()
        if head in stages or not head.isdigit()
    }


class _Program:
    def __init__(self, command: tuple[str, ...]) -> None:
        self.owner = os.getpid()
        self.complaints = TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self.java = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints)

    def statistics(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[Scores]:
        """The statistics of each segment."""
        questions = [*map(_question, range(len(predictions)), predictions, references)]
        answers = self._ask(questions, len(questions))
        return [dict(zip(STATISTICS, map(float, answer.split()), strict=True)) for answer in answers]

    def evaluate(self, rows: Sequence[Scores]) -> list[float]:
        """The score of each segment's statistics and, at the end, of all together."""
        statistics = [" ".join(str(row[name]) for name in STATISTICS) for row in rows]
        return [*map(float, self._ask([SEPARATOR.join(("EVAL", *statistics))], len(rows) + 1))]

    def numbers(self, rows: Sequence[Scores], meteor: Sequence[float], whole: Sequence[int]) -> list[Scores]:
        """All numbers of each row.

        The protocol gives the score only. But without chunks the score is the F-measure. If both texts also have the
        statistics of one side, the score is the precision or the recall.
        """
        sides = (None, *SIDES)
        found = [self.evaluate([_unbroken(row, side) for row in rows])[:-1] for side in sides]
        return [
            {
                "meteor": score,
                "precision": precision,
                "recall": recall,
                "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
                "fmean": fmean,
                "penalty": 1 - score / fmean if fmean else 0.0,
                **row,
                "whole_count": float(count),
            }
            for row, score, count, fmean, precision, recall in zip(rows, meteor, whole, *found, strict=True)
        ]

    def _ask(self, lines: Sequence[str], count: int) -> list[str]:
        """The answers to these lines, `count` lines."""
        asked = "".join(f"{line}\n" for line in lines).encode()
        # Write in a thread. Otherwise, both processes could wait for each other with full pipes.
        writer = Thread(target=self._write, args=(asked,), daemon=True)
        writer.start()
        assert self.java.stdout
        answers = [self.java.stdout.readline().decode().strip() for _ in range(count)]
        writer.join()
        if not all(answers):
            raise LibraryError(f"meteor-1.5: the program ends: {self._complaint()}")
        if errors := [answer for answer in answers if answer.startswith("Error")]:
            raise LibraryError(f"meteor-1.5: {errors[0]}")
        return answers

    def _write(self, asked: bytes) -> None:
        assert self.java.stdin
        with suppress(BrokenPipeError):  # the reader of the answers finds the error
            self.java.stdin.write(asked)
            self.java.stdin.flush()

    def _complaint(self) -> str:
        self.java.wait()
        self.complaints.seek(0)
        lines = self.complaints.read().decode(errors="replace").splitlines() or ["without a message"]
        return next((line for line in lines if "Exception" in line), lines[0])  # there may be warnings before

    def end(self) -> None:
        """Kill the program, unless it belongs to a process that this one was forked from, and close the pipes."""
        if self.owner == os.getpid():
            self.java.kill()
            self.java.wait()
        for stream in (self.java.stdin, self.java.stdout, self.complaints):
            assert stream
            with suppress(OSError):  # there may be lines that can no longer be written
                stream.close()
