"""METEOR against nltk, and against the original program of METEOR 1.5."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from nltk.translate.meteor_score import meteor_score

from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, row
from metrologue.comparison.libraries.meteor import close, command_line, running
from metrologue.scorers import Meteor
from metrologue.text.lexicon import meteor_jar, wordnet_reader

__all__ = ["in_process", "processes"]

BIN = Path(sys.executable).parent


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """Scores of English corpora from Python lists. The Java process has loaded its tables and stays open."""
    predictions, references = corpus.predictions, corpus.references
    nltk, normalized = Meteor.variant("nltk"), Meteor.variant("pycocoevalcap")
    wordnet = wordnet_reader()
    nested = [[text] for text in references]

    def theirs() -> None:
        for prediction, reference in zip(predictions, references, strict=True):
            meteor_score([reference.split()], prediction.split(), wordnet=wordnet)

    def program() -> None:
        with running(command_line(norm=True)) as java:
            java.evaluate(java.statistics(predictions, nested))

    seconds = in_turn(
        {
            "nltk variant": lambda: nltk.corpus(predictions, references),
            "nltk": theirs,
            "1.5 variant": lambda: normalized.corpus(predictions, references),
            "the jar, kept open": program,
        },
        rounds,
    )
    close()
    return [
        row("METEOR, nltk's", seconds, "nltk variant", "nltk", 25, 50),
        row("METEOR 1.5, normalized", seconds, "1.5 variant", "the jar, kept open", 3, 5),
    ]


def processes(corpus: Corpus, rounds: int) -> list[Row]:
    """One system as a whole process on files, with warm caches."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "hypothesis"), Path(folder, "reference")
        for path, lines in zip(files, (corpus.systems[0], corpus.reference), strict=True):
            path.write_text("\n".join(lines) + "\n", "utf-8")
        hypothesis, reference = files
        ours = [BIN / "metrologue", "score", "meteor", "--variant", "pycocoevalcap", "-p", hypothesis, "-r", reference]
        theirs = ["java", "-Xmx2G", "-jar", meteor_jar(), hypothesis, reference, "-l", "en", "-norm"]
        seconds = in_turn(
            {
                "ours": lambda: subprocess.run(ours, check=True, stdout=subprocess.DEVNULL),
                "java -jar": lambda: subprocess.run(theirs, check=True, stdout=subprocess.DEVNULL),
            },
            min(rounds, 3),
        )
    return [row("METEOR 1.5, one file", seconds, "ours", "java -jar", 1.0, 2.0)]
