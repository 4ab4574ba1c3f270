"""First numbers: processor seconds of the whole command on five segments, with an empty cache and with a filled one."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.texts import Corpus

__all__ = ["starts"]

BIN = Path(sys.executable).parent
# Promised processor seconds of the first number on an empty cache.
COLD = {"bleu": 6, "chrf": 6, "wer": 6, "cer": 6, "rouge": 10, "ter": 10}


def starts(corpus: Corpus, rounds: int) -> Iterator[str]:
    """A line for each metric: cold and warm, in medians, and the sacrebleu command beside them."""
    with tempfile.TemporaryDirectory() as folder:
        hypothesis, reference = Path(folder) / "hypothesis", Path(folder) / "reference"
        hypothesis.write_text("\n".join(corpus.systems[0][:5]) + "\n", "utf-8")
        reference.write_text("\n".join(corpus.reference[:5]) + "\n", "utf-8")
        peer = [_processor_seconds([BIN / "sacrebleu", reference, "-i", hypothesis]) for _ in range(rounds)]
        for metric, promised in COLD.items():
            command = [BIN / "metrologue", "score", metric, "-p", hypothesis, "-r", reference]
            cold, warm = [], []
            for _ in range(rounds):
                with tempfile.TemporaryDirectory() as cache:
                    cold.append(_processor_seconds(command, cache))
                    warm.append(_processor_seconds(command, cache))
            yield (
                f"{metric}: first number after {statistics.median(cold):.2f} s of processor time on an empty cache "
                f"(promised: {promised}), {statistics.median(warm):.2f} s on a filled one (sacrebleu's command: "
                f"{statistics.median(peer):.2f} s)"
            )


def _processor_seconds(command: list[object], cache: str | None = None) -> float:
    environment = {**os.environ, **({"METROLOGUE_CACHE": cache} if cache else {})}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*map(str, command)], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
