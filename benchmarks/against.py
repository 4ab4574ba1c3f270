"""``python -m benchmarks.against OTHER``: the processor time of this checkout and of another one, with warm caches.

Each checkout runs in its own process, and the two take turns. The shortest of many turns is compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import texts

# name: metric, variant, field values
ROWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "BLEU 13a": ("bleu", "sacrebleu", {}),
    "BLEU intl": ("bleu", "sacrebleu", {"tokenizer": "intl"}),
    "BLEU, whitespace": ("bleu", "nltk", {}),
    "ROUGE-1/2/L": ("rouge", "rouge_score", {}),
    "ROUGE-1/2/L, stemmed": ("rouge", "rouge_score", {"stemmer": "porter"}),
    "ROUGE-SU4": ("rouge", "rouge_score", {"types": ("rougeSU4",)}),
    "ROUGE-W-1.2": ("rouge", "rouge_score", {"types": ("rougeW",)}),
    "chrF": ("chrf", "sacrebleu", {}),
    "chrF++": ("chrf", "chrf++", {}),
    "WER": ("wer", "jiwer", {}),
    "CER": ("cer", "jiwer", {}),
    "edit distance": ("edit_distance", "rapidfuzz", {}),
    "GTM": ("gtm", "gtm-1.4", {}),
    "GTM, exponent 2": ("gtm", "gtm-1.4-e2", {}),
    "MASI": ("masi", "metrologue", {}),
    "Dice": ("dice", "metrologue", {}),
    "TER": ("ter", "sacrebleu", {}),
    "CharacTER": ("character", "cer", {}),
    "CharCut": ("charcut_mt", "charcut", {}),
    "EED": ("eed", "torchmetrics", {}),
    "RIBES": ("ribes", "ribes-1.03", {}),
    "NIST": ("nist_mt", "nltk", {}),
    "hLEPOR": ("hlepor", "hlepor", {}),
    "exact match": ("exact_match", "evaluate", {}),
    "exact match, regexes": ("exact_match", "evaluate", {"regexes_to_ignore": ("the ", "[0-9]+")}),
    "token F1": ("token_f1", "squad", {}),
    "SQuAD v2": ("squad_v2", "evaluate", {}),
    "Self-BLEU": ("self_bleu", "nltk", {}),
    "lexical diversity": ("lexical_diversity", "metrologue", {}),
    "CIDEr-D": ("cider", "pycocoevalcap", {}),
    "METEOR, nltk": ("meteor", "nltk", {}),
    "METEOR 1.5": ("meteor", "meteor-1.5", {}),
}
WORKER = """
import json, sys, time
from metrologue.scorers import get_scorer
predictions, references = json.loads(sys.stdin.readline())
for line in sys.stdin:
    metric, variant, values = json.loads(line)
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    scorer = get_scorer(metric).variant(variant, **values)
    start = time.process_time()
    value = scorer.corpus(predictions, references, threads=1).value
    print(json.dumps([time.process_time() - start, value]), flush=True)
"""


class Checkout:
    """A process that scores with one checkout's code."""

    def __init__(self, folder: Path, corpus: texts.Corpus) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder / "src")},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.ask([corpus.predictions, corpus.references])

    def ask(self, question: object) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()

    def seconds(self, row: tuple[str, str, dict[str, Any]]) -> tuple[float, float]:
        """The processor seconds of a row, and the score."""
        self.ask(row)
        assert self.process.stdout
        spent, value = json.loads(self.process.stdout.readline())
        return spent, value


def main() -> int:
    """Print the table. Returns 1 if a row is slower than allowed or gives another number."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS], help="only these rows")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each (default 15)")
    parser.add_argument("--slower", type=float, default=1.10, help="allowed ratio (default 1.10)")
    options = parser.parse_args()
    german, english = texts.newstest() or texts.generated(), texts.newstest_english() or texts.generated(systems=4)
    table = Table("row", "this, s", "other, s", "this / other", "same number")
    failed = False
    for corpus, english_only in ((german, False), (english, True)):
        names = [name for name in options.rows or ROWS if name.startswith("METEOR") == english_only]
        ours, theirs = Checkout(Path.cwd(), corpus), Checkout(options.other.resolve(), corpus)
        for name in names:
            first = ours.seconds(ROWS[name])[1] == theirs.seconds(ROWS[name])[1]  # not counted, because it compiles
            pairs = [(ours.seconds(ROWS[name])[0], theirs.seconds(ROWS[name])[0]) for _ in range(options.rounds)]
            this, other = (min(column) for column in zip(*pairs, strict=True))
            failed |= this > options.slower * other or not first
            table.add_row(name, f"{this:.4f}", f"{other:.4f}", f"{this / other:.3f}", "yes" if first else "NO")
    Console(width=120).print(table)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
