"""``python -m benchmarks``: all comparisons of speed, with one thread unless a row says otherwise.

The text is newstest2017 English-German with its 16 systems, if the folder of test data is next to the repository.
Otherwise, it is generated here. METEOR's text is German-English with four systems.

Each group is written to the folder of the record when it is measured, so that a run that was cut off goes on: a group
that was measured with the same code, Python, machine and rounds is not measured again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    bleu,
    characters,
    checkpoints,
    chrf,
    cider,
    classification,
    diversity,
    edit,
    growth,
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
    records,
    rouge,
    scripts,
    simplification,
    starts,
    ter,
    texts,
    threads,
)
from benchmarks.plot import plot
from benchmarks.records import Record
from benchmarks.timing import Row, shown


def main() -> int:
    """Run, print the table, and return 1 if a promised ratio was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default 5)")
    parser.add_argument("--only", nargs="+", metavar="GROUP", help="only these groups of rows, such as bleu ter")
    parser.add_argument("--into", type=Path, default=Path("build/benchmarks"), help="the folder of the record")
    parser.add_argument("--anew", action="store_true", help="also measure what the folder has already")
    parser.add_argument("--small", action="store_true", help="few texts: only to see that every group runs")
    parser.add_argument("--comet", metavar="PYTHON", help="a Python that has unbabel-comet, to be compared with")
    parser.add_argument(
        "--readme", action="store_true", help="also write the tables in docs/speed.md, docs/scale.md and README.md"
    )
    options = parser.parse_args()
    corpus, english = corpora(options.small)
    groups = _groups(corpus, english, options.small, options.comet)
    if unknown := {*(options.only or ())} - {*groups}:
        parser.error(f"no group is called {min(unknown)}; there are {', '.join(groups)}")
    console = Console(width=120)
    console.print(f"{corpus.name}: {len(corpus.predictions):,} pairs, {corpus.bytes / 1e6:.1f} MB")
    of, found = records.about(options.rounds, options.small), []
    for name, measure in groups.items():
        if options.only and name not in options.only:
            continue
        path = options.into / f"{name}.json"
        kept = None if options.anew else records.load(path, of)
        if kept is None:
            print(f"{name} …", file=sys.stderr, flush=True)
            kept = measure(options.rounds)
            records.save(path, kept, of)
        found += kept
    rows = [one for one in found if isinstance(one, Row)]
    for each in (*([table(rows)] if rows else []), *others(found)):
        console.print(each)
    picture = options.into / "benchmarks.svg"
    plot(found, picture)
    console.print(f"The record is in {options.into}, with a picture: {picture}")
    if options.readme:
        text = readme.FILE.read_text("utf-8")
        readme.FILE.write_text(readme.with_speed(text, rows, [corpus, english], date.today(), options.rounds), "utf-8")
        readme.SCALE.write_text(readme.with_scale(readme.SCALE.read_text("utf-8"), found, date.today()), "utf-8")
        readme.README.write_text(readme.with_few(readme.README.read_text("utf-8"), rows), "utf-8")
    return int(not all(row.holds for row in rows))


def corpora(small: bool) -> tuple[texts.Corpus, texts.Corpus]:
    """The text of most groups, and METEOR's."""
    if small:
        return texts.generated(systems=6, segments=60), texts.generated(systems=2, segments=60)
    return texts.newstest() or texts.generated(), texts.newstest_english() or texts.generated(systems=4)


def _groups(
    corpus: texts.Corpus, english: texts.Corpus, small: bool, python: str | None
) -> dict[str, Callable[[int], list[Record]]]:
    """What is measured, by name. Each takes the number of rounds."""
    sizes, limits = ((100, 1_000), (100, 300)) if small else (growth.SIZES, (20_000, 120_000))
    # A work of some hundredths of a second says little about threads.
    all_english = english if small else texts.newstest_english(systems=99) or english
    return {
        "bleu": lambda rounds: [*bleu.in_process(corpus, rounds), *bleu.processes(corpus, rounds)],
        "rouge": lambda rounds: rouge.in_process(corpus, rounds),
        "chrf": lambda rounds: chrf.in_process(corpus, rounds),
        "edit": lambda rounds: edit.in_process(corpus, rounds),
        "ter": lambda rounds: ter.in_process(corpus, rounds),
        "characters": lambda rounds: characters.in_process(corpus, rounds),
        "matching": lambda rounds: matching.in_process(corpus, rounds),
        "simplification": lambda rounds: simplification.in_process(corpus, rounds),
        "scripts": lambda rounds: scripts.in_process(corpus, rounds),
        "comet": lambda rounds: checkpoints.in_process(python, min(rounds, 3)),
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
        "starts": lambda rounds: [*starts.first_numbers(rounds), *starts.starts(corpus, min(rounds, 3))],
        "long": lambda rounds: [
            *bleu.imports(rounds),
            *rouge.long_texts(rounds),
            *edit.long_texts(rounds),
            *diversity.long_texts(english, 3),
        ],
        "threads": lambda rounds: threads.threads(corpus, all_english, 3 * rounds),
        "costs": lambda rounds: growth.costs(corpus, english, min(rounds, 3), limits),
        "growth": lambda rounds: growth.growth(corpus, min(rounds, 3), sizes),
    }


def others(found: Sequence[Record]) -> Iterator[Table | str]:
    """What is not a comparison with a library, for a terminal."""
    points = [one for one in found if isinstance(one, growth.Growth)]
    if points:
        made = Table("command on files", "pairs", "processor, s", "a million, s", "memory, MiB", "slope")
        for one in points:
            own = [point for point in points if point.metric == one.metric and point.pairs <= one.pairs]
            slope = f"{growth.slope(own):.2f}" if len(own) > 1 else ""
            million = f"{one.seconds / one.pairs * 1e6:.2f}"
            made.add_row(one.metric, f"{one.pairs:,}", shown(one.seconds), million, f"{one.mebibytes:,.0f}", slope)
        yield made
    if prices := [one for one in found if isinstance(one, growth.Cost)]:
        made = Table("a million pairs", "processor, s", "memory, MiB")
        for price in prices:
            made.add_row(price.what, shown(price.seconds), f"{price.mebibytes:,.0f}")
        yield made
    if pairs := [one for one in found if isinstance(one, threads.Threads)]:
        made = Table("two threads", "one, s", "two, s", "times faster")
        for pair in pairs:
            made.add_row(pair.what, shown(pair.one), shown(pair.two), f"{pair.ratio:.2f}")
        yield made
    yield from (one for one in found if isinstance(one, str))


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
