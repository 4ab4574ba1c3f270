"""First numbers: processor seconds of the whole command on five segments, with an empty and with a filled cache.

And those of the first number in Python, beside the libraries, and beside the import of what we stand on.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.texts import Corpus
from benchmarks.timing import Row

__all__ = ["first_numbers", "processor_seconds", "starts"]

BIN = Path(sys.executable).parent
# The promised processor seconds for the first number with an empty cache.
COLD = {"bleu": 6, "chrf": 6, "wer": 6, "cer": 6, "rouge": 10, "ter": 10}
AIM = 2
# The same with a filled cache, where nothing is compiled.
WARM = 1


def starts(corpus: Corpus, rounds: int) -> list[Row]:
    """Two rows for each metric, with the promised seconds."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        hypothesis, reference = Path(folder) / "hypothesis", Path(folder) / "reference"
        hypothesis.write_text("\n".join(corpus.systems[0][:5]) + "\n", "utf-8")
        reference.write_text("\n".join(corpus.reference[:5]) + "\n", "utf-8")
        for metric, promised in COLD.items():
            command = [BIN / "metrologue", "score", metric, "-p", hypothesis, "-r", reference]
            seconds: dict[str, list[float]] = {"empty": [], "filled": []}
            for _ in range(rounds):
                with tempfile.TemporaryDirectory() as cache:
                    for measured in seconds.values():
                        measured.append(processor_seconds(command, cache))
            for (state, measured), limit in zip(seconds.items(), (promised, WARM), strict=True):
                ours = statistics.median(measured)
                what = f"first {metric}, {state} cache (processor)"
                aim = limit / AIM if state == "empty" else 1.0
                rows.append(Row(what, "what is promised", ours, limit, limit / ours, 1.0, aim))
    return rows


def first_numbers(rounds: int) -> list[Row]:
    """The processor seconds of a process with one number of one pair, above those of a Python that does nothing."""
    pair = '(["the cat sat on the mat"], ["the cat is on the mat"])'
    programs = {
        **{metric: f"import metrologue; metrologue.score('{metric}', *{pair})" for metric in ("bleu", "rouge", "wer")},
        "sacrebleu": f"import sacrebleu; h, r = {pair}; sacrebleu.corpus_bleu(h, [r])",
        "rouge_score": "from rouge_score.rouge_scorer import RougeScorer as S; S(['rouge1']).score('the cat', 'a cat')",
        "jiwer": f"import jiwer; h, r = {pair}; jiwer.wer(r, h)",
        "import numpy": "import numpy",
        "import numpy, pyarrow": "import numpy, pyarrow",
        "nothing": "pass",
    }
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(max(rounds, 5)):
        for name, code in programs.items():
            seconds[name].append(processor_seconds([sys.executable, "-c", code]))
    took = {name: statistics.median(measured) for name, measured in seconds.items()}
    least = took.pop("nothing")
    rows = []
    for metric, library in (("bleu", "sacrebleu"), ("rouge", "rouge_score"), ("wer", "jiwer")):
        for peer in (library, "import numpy", "import numpy, pyarrow"):
            ours, theirs = took[metric] - least, took[peer] - least
            rows.append(Row(f"first {metric} in Python (processor)", peer, ours, theirs, theirs / ours, 0.0, 0.5))
    return rows


def processor_seconds(command: list[object], cache: str | None = None) -> float:
    """The processor seconds of a command, from start to end."""
    environment = {**os.environ, **({"METROLOGUE_CACHE": cache} if cache else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's modules are compiled once
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*map(str, command)], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
