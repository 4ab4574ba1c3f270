"""Writes docs/disagreement.md: how far the implementations of a metric are apart, on corpora that are not shipped.

``python -m studies.disagreement [FOLDER]`` reads the corpora from a folder, by default ``shared/data`` beside the
checkout, and ``--check`` only says whether the page is out of date. The page has figures and no text of the data. Its
plots are the files ``docs/disagreement-NAME.svg``.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from metrologue.comparison.findings.number import Number
from metrologue.comparison.harness import compare
from metrologue.comparison.showing.plots import Dot, spread, standalone
from metrologue.comparison.showing.results import Comparison
from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.files.parts import read_segments
from metrologue.inference.correlation import correlation
from metrologue.meta import read_judgements
from metrologue.scorers import get_scorer
from metrologue.scorers.core.variants import recommended
from metrologue.segments import Segments
from studies.correlation import DATA
from studies.tables import printed, prose, table, written

PAGE = Path(__file__).parents[1] / "docs" / "disagreement.md"
# A choice with a smaller part of a gap is not named.
_PART = 0.02
_FEWEST = 3


@dataclass(frozen=True)
class Corpus:
    """Texts of systems with their references.

    Attributes
    ----------
    name : str
        The end of the plot's file name.
    title, about : str
    systems : mapping of str to sequence of str
    references : sequence of str, or of lists of str
    metrics : tuple of str
    """

    name: str
    title: str
    about: str
    systems: Mapping[str, Sequence[str]]
    references: Sequence[str] | Sequence[Sequence[str]]
    metrics: tuple[str, ...]


def translation(folder: Path) -> Corpus:
    """newstest2017, English to German."""
    files = sorted((folder / "wmt17_ende" / "systems").iterdir())
    columns, references = read_segments([*map(str, files)], [str(folder / "wmt17_ende" / "reference.de")])
    systems = dict(zip((file.name.split(".")[1] for file in files), columns, strict=True))
    about = f"{len(references or ())} segments of {len(systems)} systems, one reference, as they were submitted."
    return Corpus(
        "translation", "Translation: newstest2017, English to German", about, systems, references or (),
        ("bleu", "chrf", "ter", "nist_mt", "google_bleu"),
    )  # fmt: skip


def summaries(folder: Path) -> Corpus:
    """SummEval: summaries of CNN and Daily Mail."""
    said = read_judgements(folder / "summeval", "summeval")
    names = said.systems or ()
    own: dict[str, dict[str, str]] = {}
    references = dict(zip(said.segments, said.references or (), strict=True))
    for name, segment, text in zip(names, said.segments, said.hypotheses, strict=True):
        own.setdefault(name, {})[segment] = text
    systems = {name: [own[name][segment] for segment in references] for name in sorted(own)}
    about = f"{len(references)} documents, summarized by {len(systems)} systems; 11 references; tokenized text."
    return Corpus(
        "summaries", "Summaries: SummEval", about, systems, [[*each] for each in references.values()],
        ("rouge", "bleu", "chrf", "meteor", "cider"),
    )  # fmt: skip


def captions(folder: Path) -> Corpus:
    """Flickr8k: captions of images, by people."""
    said = read_judgements(folder / "flickr8k_expert", "flickr8k-expert")
    about = f"{len(said.hypotheses):,} captions, each with 5 references; one system only, so no order can change."
    return Corpus(
        "captions", "Captions: Flickr8k-Expert", about, {"captions": said.hypotheses},
        [[*each] for each in said.references or ()], ("bleu", "rouge", "meteor", "cider", "chrf"),
    )  # fmt: skip


CORPORA: tuple[Callable[[Path], Corpus], ...] = (translation, summaries, captions)


class Family:
    """The implementations of one metric on one corpus: their numbers, and how alike they rank."""

    def __init__(self, corpus: Corpus, metric: str) -> None:
        self.metric = metric
        self.found: Comparison = compare(corpus.systems, corpus.references, metric, libraries=[])
        self.numbers: dict[str, dict[str, Number]] = {}
        for number in self.found.numbers:
            if number.value is not None:
                self.numbers.setdefault(number.name, {})[number.system] = number
        self.names = [name for name, own in self.numbers.items() if len(own) == len(corpus.systems)]
        self.segment_scores = _segment_scores(corpus, metric, self.names)

    @cached_property
    def base(self) -> str:
        """The recommended variant, or the first one: the one that all others are compared with."""
        advised = (recommended(get_scorer(self.metric).variants()) or ("",))[0]
        return advised if advised in self.names else self.names[0]

    def points(self, name: str, system: str) -> float:
        """A number in the unit of the comparison, without its last bits, in which a sum may differ from run to run."""
        return round(self.found.factor * self.numbers[name][system].share, 8)

    def limits(self, name: str, system: str) -> tuple[float, float] | None:
        """Its interval, as fine as a plot shows it."""
        ends = self.found.limits(self.numbers[name][system])
        return (round(ends[0], 2), round(ends[1], 2)) if ends else None

    def of_system(self, system: str) -> list[tuple[float, str]]:
        """All numbers of a system, with the names of the implementations, from least to most."""
        return sorted((self.points(name, system), name) for name in self.names)

    def width(self, system: str) -> float:
        """How far the numbers of a system are apart."""
        own = self.of_system(system)
        return own[-1][0] - own[0][0]

    def system_tau(self, one: str, other: str) -> float:
        """Kendall's tau-b of two rankings of the systems."""
        systems = self.found.systems
        # Numbers that are equal up to rounding are ties.
        first, second = (
            np.array([float(f"{self.numbers[name][system].share:.10g}") for system in systems]) for name in (one, other)
        )
        return _tau(first, second) if len(systems) >= _FEWEST else math.nan

    def segment_tau(self, one: str, other: str) -> float:
        """Kendall's tau-b of the segments of a system, the mean over the systems."""
        first, second = self.segment_scores.get(one), self.segment_scores.get(other)
        if first is None or second is None:
            return math.nan
        return _tau(first.T, second.T, "item")

    def least_tau(self, tau: Callable[[str, str], float]) -> float:
        """The least tau of two implementations."""
        known = [value for pair in combinations(self.names, 2) if not math.isnan(value := tau(*pair))]
        return min(known, default=math.nan)


def _tau(x: Floats, y: Floats, level: str = "segment") -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that do not vary
        return correlation(x, y, method="kendall-b", level=level, confidence=None).value


def _segment_scores(corpus: Corpus, metric: str, names: Sequence[str]) -> dict[str, Floats]:
    """The segment scores of each implementation, (systems, segments), rounded so that equal scores are ties.

    An implementation without a score of every segment, such as one that divides by zero for a short one, is left out.
    """
    found: dict[str, list[Floats]] = {name: [] for name in names}
    texts: Segments | None = None
    for predictions in corpus.systems.values():
        texts = texts.with_predictions(predictions, metric) if texts else Segments(predictions, corpus.references)
        for name in [*found]:
            with suppress(InputError):
                scores = get_scorer(metric).variant(name).segments(texts)
                if len(scores) == len(texts) and np.isfinite(scores).all():
                    found[name].append(np.round(scores, 10))
                    continue
            del found[name]
    return {name: np.stack(own) for name, own in found.items()}


def shown(value: float, digits: int = 2) -> str:
    """A number of a table; a dash if there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def tau(value: float) -> str:
    """A tau of a table."""
    return "–" if math.isnan(value) else printed(value, 3)


def causes(family: Family) -> str:
    """The choices behind the widest gap, with their shares."""
    widest = family.found.widest
    if widest is None:
        return "none: all are equal"
    whole = sum(abs(part.share) for part in widest.contributions) or 1.0
    told = [part for part in widest.contributions if abs(part.share) >= _PART * whole]
    told.sort(key=lambda part: -abs(part.share))
    return ", ".join(f"{part.choice} {family.found.factor * part.share:+.2f}".replace("-", "−") for part in told)


def spreads(families: Sequence[Family]) -> str:
    """The table of the gaps."""
    rows = []
    for family in families:
        system = family.found.widest.system if family.found.widest else family.found.systems[0]
        (least, low), *_, (most, high) = family.of_system(system)
        widths = [family.width(each) for each in family.found.systems]
        distinct = sum(group.system == system for group in family.found.groups)
        rows.append(
            [
                f"`{family.metric}`", f"{len(family.names)}", f"{distinct}", system, f"{shown(least)} (`{low}`)",
                f"{shown(most)} (`{high}`)", shown(math.fsum(widths) / len(widths)), causes(family),
            ]
        )  # fmt: skip
    head = ["metric", "implementations", "distinct numbers", "widest for", "least", "most", "mean width"]
    return table([*head, "shares of the widest gap"], rows)


def flips(families: Sequence[Family]) -> str:
    """The table of the orders of systems."""
    rows = []
    for family in families:
        found, systems = family.found, family.found.systems
        significant = sum(flip.is_significant for flip in found.flips)
        firsts = dict.fromkeys(order.systems[0] for order in found.orders)
        rows.append(
            [
                f"`{family.metric}`", f"{len(found.orders)}", ", ".join(firsts),
                f"{len(found.flips)} of {math.comb(len(systems), 2)}", f"{significant}",
                tau(family.least_tau(family.system_tau)), tau(family.least_tau(family.segment_tau)),
            ]
        )  # fmt: skip
    head = ["metric", "rankings", "best system", "pairs that flip", "significantly"]
    return table([*head, "least tau of systems", "least tau of segments"], rows)


def implementations(families: Sequence[Family]) -> str:
    """The table of all implementations beside the one to report."""
    rows = []
    for family in families:
        for name in family.names:
            points = [family.points(name, system) for system in family.found.systems]
            taus = [how(name, family.base) for how in (family.system_tau, family.segment_tau)]
            marks = ["base", "base"] if name == family.base else [*map(tau, taus)]
            rows.append([f"`{family.metric}:{name}`", shown(math.fsum(points) / len(points)), *marks])
    return table(["implementation", "mean of the systems", "tau of systems", "tau of segments"], rows)


def plot(corpus: Corpus, families: Sequence[Family]) -> str:
    """The numbers of all implementations, for the system where they are farthest apart."""
    panels = {}
    for family in families:
        if family.found.in_points:
            system = family.found.widest.system if family.found.widest else family.found.systems[0]
            dots = [
                Dot(name=name, library=None, variant=round(value, 2), limits=family.limits(name, system))
                for value, name in family.of_system(system)
            ]
            panels[f"{family.metric}, {system}"] = dots
    return standalone(spread(panels, "points from 0 to 100", f"The numbers of all implementations. {corpus.title}"))


def section(corpus: Corpus, families: Sequence[Family]) -> Iterator[str]:
    """A corpus on the page."""
    yield f"## {corpus.title}\n"
    yield prose(corpus.about)
    yield spreads(families)
    yield f"![The numbers of all implementations]({plot_file(corpus).name})\n"
    if len(corpus.systems) > 1:
        yield "### Which system is better?\n"
        yield flips(families)
    yield "### All implementations\n"
    yield implementations(families)


def plot_file(corpus: Corpus) -> Path:
    return PAGE.with_name(f"disagreement-{corpus.name}.svg")


INTRODUCTION = """\
Libraries that print a number under the same name do not compute the same number. These are all implementations that
metrologue mirrors, each proven equal to its library, on three public corpora. The data are not part of this project;
the page has figures only. Numbers are in points, of which a perfect score has 100: CIDEr's 10 are 100 points. `nist_mt`
has no perfect score and is in its own unit.

    metrologue compare --no-live -p system_a.txt -p system_b.txt -r reference.txt

- **Widest**: the system for which two implementations differ most, with the least and the greatest number; **mean
  width** is the mean over all systems.
- **Shares**: what each choice adds on the way from the least to the greatest number: exact Shapley values, in points.
  Shares below 2 % are left out.
- **Pairs that flip**: pairs of systems of which some implementation prefers the one, and another the other;
  significantly, if both do with p < 0.05, by the paired bootstrap with Holm's correction.
- **Tau**: Kendall's tau-b of two implementations: of the systems' numbers; and of the segment scores of a system, the
  mean over systems. 1 means that both rank alike. The least is that of all pairs. A dash: no such tau.
- **Base**: the implementation to report, if one is recommended (see the README); otherwise the first.
"""


def headline(every: Sequence[tuple[Corpus, Sequence[Family]]]) -> str:
    """What all tables say, in a paragraph."""
    told = []
    families = [(corpus, family) for corpus, own in every for family in own]
    rates = [(family.width(system), corpus, family, system) for corpus, family in families if family.found.in_points
             for system in family.found.systems]  # fmt: skip
    width, corpus, family, system = max(rates, key=lambda each: each[0])
    (least, low), *_, (most, high) = family.of_system(system)
    told.append(
        f"The widest gap: `{family.metric}` gives {system} ({corpus.name}) {shown(least)} in `{low}` and {shown(most)} "
        f"in `{high}`, {shown(width)} points apart."
    )
    ranked = [family for corpus, family in families if len(corpus.systems) > 1]
    flipped = sum(bool(family.found.flips) for family in ranked)
    firm = sum(any(flip.is_significant for flip in family.found.flips) for family in ranked)
    winners = sum(len({order.systems[0] for order in family.found.orders}) > 1 for family in ranked)
    told.append(
        f"In {flipped} of {len(ranked)} cases of a metric and a corpus with several systems, the choice of "
        f"implementation changes which of two systems is better; in {firm}, significantly; in {winners}, it changes "
        "the best system of all."
    )
    return prose(" ".join(told))


def files(folder: Path, corpora: Sequence[Callable[[Path], Corpus]] = CORPORA) -> Iterator[tuple[Path, str]]:
    """The plots and the page, each with its content."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scorers warn of short texts, and of items that do not vary
        read = [make(folder) for make in corpora]
        every = [(corpus, [Family(corpus, metric) for metric in corpus.metrics]) for corpus in read]
        yield from ((plot_file(corpus), plot(corpus, own)) for corpus, own in every)
        parts = [part for corpus, own in every for part in section(corpus, own)]
    made = "<!-- Made by `python -m studies.disagreement` from the data; do not edit. -->\n"
    yield PAGE, "\n".join(["# Do implementations agree?\n", made, headline(every), INTRODUCTION, *parts])


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with ``--check`` only say which are out of date."""
    folders = [each for each in arguments if each != "--check"]
    return written(files(Path(folders[0]) if folders else DATA), "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
