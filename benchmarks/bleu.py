"""BLEU against sacrebleu, nltk, bleuscore, `wc -w` and the sacrebleu command."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import bleuscore
import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

from benchmarks.starts import processor_seconds
from benchmarks.texts import Corpus
from benchmarks.timing import Row, in_turn, installed, row
from metrologue.scorers import Bleu

__all__ = ["imports", "in_process", "processes"]

BIN = Path(sys.executable).parent


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """The score of all systems as one corpus, from Python lists. Nothing is kept from one round to the next."""
    predictions, references = corpus.predictions, corpus.references
    nested = [[text] for text in references]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.txt"
        path.write_text("\n".join([*predictions, *references]) + "\n", "utf-8")
        seconds = in_turn(
            {
                "sacrebleu variant": lambda: Bleu().corpus(predictions, references),
                "nltk variant": lambda: Bleu.variant("nltk").corpus(predictions, references),
                "bleuscore variant": lambda: Bleu.variant("bleuscore").corpus(predictions, references),
                "bleuscore": lambda: bleuscore.compute(nested, predictions),
                "wc -w": lambda: subprocess.run(
                    ["wc", "-w", path], env={**os.environ, "LC_ALL": "C"}, check=True, stdout=subprocess.DEVNULL
                ),
            },
            max(rounds, 7),
        )
    mojo = installed("sacrebleu_mojo", "sacrebleu-mojo") if sys.version_info >= (3, 12) else None
    slow = in_turn(
        {
            "sacrebleu variant": lambda: Bleu().corpus(predictions, references),
            "sacrebleu": lambda: sacrebleu.corpus_bleu(predictions, [references]),
            "nltk variant": lambda: Bleu.variant("nltk").corpus(predictions, references),
            "nltk": lambda: _nltk(predictions, references),
            **({"sacrebleu-mojo": lambda: mojo.corpus_bleu(predictions, [references])} if mojo else {}),
        },
        min(rounds, 3),
    )
    return [
        row("BLEU 13a", slow, "sacrebleu variant", "sacrebleu", 30, 60),
        row("BLEU, whitespace", slow, "nltk variant", "nltk", 25, 50),
        row("BLEU 13a (peer: all cores)", seconds, "bleuscore variant", "bleuscore", 2.5, 5),
        *([row("BLEU 13a", slow, "sacrebleu variant", "sacrebleu-mojo", 1, 1)] if mojo else []),
        row("BLEU 13a, same bytes", seconds, "sacrebleu variant", "wc -w", 1 / 4, 1 / 2),
    ]


def _nltk(predictions: list[str], references: list[str]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(corpus_bleu([[text.split()] for text in references], [text.split() for text in predictions]))


def processes(corpus: Corpus, rounds: int) -> list[Row]:
    """The commands as whole processes on files, with warm caches: one system, and five systems."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        reference = Path(folder) / "reference"
        reference.write_text("\n".join(corpus.reference) + "\n", "utf-8")
        systems = [Path(folder) / f"system{i}" for i in range(5)]
        for path, system in zip(systems, corpus.systems, strict=False):
            path.write_text("\n".join(system) + "\n", "utf-8")
        for count in (1, 5):
            files = [str(path) for path in systems[:count]]
            ours = [BIN / "metrologue", "score", "bleu", "-r", reference]
            ours += [argument for path in files for argument in ("-p", path)]
            theirs = [BIN / "sacrebleu", reference, "-i", *files]
            pairs = [(processor_seconds(ours), processor_seconds(theirs)) for _ in range(max(rounds, 5) + 1)][1:]
            seconds = dict(zip(("ours", "sacrebleu command"), map(list, zip(*pairs, strict=True)), strict=True))
            rows.append(row(f"command, {count} file(s) (processor)", seconds, "ours", "sacrebleu command", 1.0, 1.5))
    return rows


def imports(rounds: int) -> Iterator[str]:
    """The seconds that `import metrologue` adds to an interpreter that does nothing."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    seconds = [run("import metrologue") - run("pass") for _ in range(max(rounds, 5))]
    yield f"import metrologue: {statistics.median(seconds):.3f} s (promised: under 0.3 s)"
