"""``python -m benchmarks``: all comparisons of speed, with one thread unless a row says otherwise.

The text is newstest2017 English-German with its 16 systems, if the folder of test data is next to the repository.
Otherwise, it is generated here. METEOR's text is German-English with four systems.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    bleu,
    chrf,
    cider,
    classification,
    diversity,
    edit,
    hashed,
    inference,
    latency,
    matching,
    meteor,
    ngrams,
    order,
    pairs,
    ptb,
    readme,
    rouge,
    starts,
    ter,
    texts,
)
from benchmarks.timing import Row, shown


def main() -> int:
    """Run, print the table, and return 1 if a promised ratio was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default 5)")
    parser.add_argument("--only", nargs="+", metavar="GROUP", help="only these groups of rows, such as bleu ter")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    parser.add_argument("--readme", action="store_true", help="also write the table in README.md")
    parser.add_argument("--stream", action="store_true", help="also score 10 million pairs from files (minutes)")
    options = parser.parse_args()
    corpus = texts.newstest() or texts.generated()
    console = Console(width=120)
    console.print(f"{corpus.name}: {len(corpus.predictions):,} pairs, {corpus.bytes / 1e6:.1f} MB")
    english = texts.newstest_english() or texts.generated(systems=4)
    rows: list[Row] = []
    for name, measure in _groups(corpus, english).items():
        if not options.only or name in options.only:
            print(f"{name} …", file=sys.stderr, flush=True)
            rows += measure(options.rounds)
    console.print(table(rows))
    if not options.only:
        lines = (bleu.imports, rouge.long_texts, edit.long_texts)
        for line in (*(line for each in lines for line in each(options.rounds)), *diversity.long_texts(english, 3)):
            console.print(line)
    if options.stream:
        for line in bleu.stream(corpus):
            console.print(line)
    if options.readme:
        text = readme.FILE.read_text("utf-8")
        readme.FILE.write_text(readme.with_speed(text, rows, [corpus, english], date.today(), options.rounds), "utf-8")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", "utf-8")
    return int(not all(row.holds for row in rows))


def _groups(corpus: texts.Corpus, english: texts.Corpus) -> dict[str, Callable[[int], list[Row]]]:
    """What is measured, by name. Each takes the number of rounds."""
    return {
        "bleu": lambda rounds: [*bleu.in_process(corpus, rounds), *bleu.processes(corpus, rounds)],
        "rouge": lambda rounds: rouge.in_process(corpus, rounds),
        "chrf": lambda rounds: chrf.in_process(corpus, rounds),
        "edit": lambda rounds: edit.in_process(corpus, rounds),
        "ter": lambda rounds: ter.in_process(corpus, rounds),
        "matching": lambda rounds: matching.in_process(corpus, rounds),
        "order": lambda rounds: order.in_process(corpus, rounds),
        "pairs": lambda rounds: pairs.in_process(corpus, rounds),
        "inference": lambda rounds: inference.in_process(corpus, rounds),
        "meteor": lambda rounds: [*meteor.in_process(english, rounds), *meteor.processes(english, rounds)],
        "diversity": lambda rounds: diversity.in_process(english, rounds),
        "ngrams": lambda rounds: ngrams.in_process(corpus, rounds),
        "ptb": ptb.tokens,
        "cider": lambda rounds: [*cider.in_process(corpus, rounds), *cider.whole_table(rounds)],
        "hashed": lambda rounds: [*hashed.in_process(rounds), *hashed.processes(rounds)],
        "classification": classification.in_process,
        "latency": latency.in_process,
        "starts": lambda rounds: starts.starts(corpus, min(rounds, 3)),
    }


def table(rows: list[Row]) -> Table:
    """The rows for a terminal."""
    made = Table("what", "peer", "ours, s", "peer, s", "times faster", "promised", "aim", "")
    for row in rows:
        made.add_row(
            row.what,
            row.peer,
            shown(row.ours),
            shown(row.theirs),
            f"{row.ratio:.2f}",
            f"{row.floor:.2f}",
            f"{row.aim:.2f}",
            "reached" if row.holds else "missed",
        )
    return made


if __name__ == "__main__":
    raise SystemExit(main())
