"""The trace of METEOR: the alignment as a picture, the stages that found it, its chunks, and the formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from metrologue.scorers.meteor import Alignment, Meteor
from metrologue.segments import Segments
from metrologue.trace.base import PairTrace, blocks, direction, table, trace, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["AlignedWord", "Link", "MeteorPair", "MeteorTrace", "Picture"]

# Shapes besides colours and dashes, as for all marks.
STAGES = {"exact": "●", "stem": "▲", "synonym": "◆", "paraphrase": "■"}
FUNCTION = "ƒ"
SIDES = ("hypothesis", "reference")


@dataclass(frozen=True, kw_only=True)
class AlignedWord:
    """A word of one text.

    Attributes
    ----------
    text : str
    function : bool
        Whether it is a function word.
    link : int
        The match that it belongs to, counted from 1; 0 for none.
    stage : str
        Which stage found that match, or "".
    """

    text: str
    function: bool
    link: int
    stage: str

    @property
    def mark(self) -> str:
        """What stands below the word: number and stage of its match, and whether it is a function word."""
        match = f"{self.link}{STAGES[self.stage]}" if self.link else ""
        return match + FUNCTION * self.function


@dataclass(frozen=True, kw_only=True)
class Link:
    """A match: ``length`` words from ``start`` in the hypothesis and in the reference.

    Attributes
    ----------
    stage : str
        "exact", "stem", "synonym" or "paraphrase".
    starts, lengths : tuple of two int
        Of the hypothesis and of the reference.
    chunk : int
        The chunk that it is part of.
    """

    stage: str
    starts: tuple[int, int]
    lengths: tuple[int, int]
    chunk: int


# The picture's measures, in pixels; letters are as wide as a monospaced font of 14 pixels has them.
LETTER, WORD_GAP, LEAST_WORD = 8.43, 14.0, 22.0
NAME_Y, WORDS_Y, BARS_Y, MARKS_Y = 10.0, 34.0, 47.0, 56.0
HEIGHT, LEAST_WIDTH = 208.0, 120.0
# A mark around the point (0, 0).
SHAPES = {
    "exact": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "stem": "M0-5.5L5.5 4.5H-5.5z",
    "synonym": "M0-6L6 0L0 6L-6 0z",
    "paraphrase": "M-4.5-4.5H4.5V4.5H-4.5z",
}


@dataclass(frozen=True)
class Picture:
    """Both texts as rows of words, and a line for each match: what the SVG draws, in pixels.

    Attributes
    ----------
    rows : pair of tuple of AlignedWord
        Hypothesis and reference.
    links : tuple of Link
    """

    rows: tuple[tuple[AlignedWord, ...], tuple[AlignedWord, ...]]
    links: tuple[Link, ...]
    height: ClassVar[float] = HEIGHT
    shapes: ClassVar[dict[str, str]] = SHAPES

    @cached_property
    def direction(self) -> str:
        """ "ltr" or "rtl"."""
        return direction(word.text for row in self.rows for word in row)

    @cached_property
    def width(self) -> float:
        """Of the longer row."""
        return max([LEAST_WIDTH, *(row[-1][1] + WORD_GAP / 2 for row in self._edges if row)])

    @cached_property
    def _edges(self) -> list[list[tuple[float, float]]]:
        """Where each word begins and ends, row by row, measured from where the text begins."""
        from rich.cells import cell_len

        edges = []
        for row in self.rows:
            widths = [max(LETTER * cell_len(visible(word.text)), LEAST_WORD) for word in row]
            starts = accumulate(widths, lambda start, width: start + width + WORD_GAP, initial=WORD_GAP / 2)
            edges.append([(start, start + width) for start, width in zip(starts, widths, strict=False)])
        return edges

    def _mirrored(self, x: float) -> float:
        return self.width - x if self.direction == "rtl" else x

    @staticmethod
    def _y(row: int, depth: float) -> float:
        """A depth below the hypothesis, or as far above the lower edge for the reference."""
        return HEIGHT - depth if row else depth

    @property
    def names(self) -> list[tuple[float, float]]:
        """Where the names of the rows begin."""
        return [(self._mirrored(WORD_GAP / 2), self._y(row, NAME_Y)) for row in (0, 1)]

    @property
    def words(self) -> list[tuple[float, float, AlignedWord]]:
        """The middle of each word."""
        return [
            (self._mirrored(sum(edges) / 2), self._y(row, WORDS_Y), word)
            for row in (0, 1)
            for edges, word in zip(self._edges[row], self.rows[row], strict=True)
        ]

    def _span(self, link: Link, row: int) -> tuple[float, float]:
        first = link.starts[row]
        last = first + link.lengths[row] - 1
        return self._mirrored(self._edges[row][first][0]), self._mirrored(self._edges[row][last][1])

    @property
    def bars(self) -> list[tuple[float, float, float, Link]]:
        """Below or above all words of a phrase: both ends and the height."""
        return [
            (*self._span(link, row), self._y(row, BARS_Y), link)
            for link in self.links
            for row in (0, 1)
            if link.lengths[row] > 1
        ]

    @property
    def curves(self) -> list[tuple[str, list[tuple[float, float]], Link]]:
        """The line of each match as an SVG path, and its two ends, which bear the mark."""
        curves = []
        for link in self.links:
            ends = [(sum(self._span(link, row)) / 2, self._y(row, MARKS_Y)) for row in (0, 1)]
            (x, y), (other_x, other_y) = ends
            path = (
                f"M{x:.1f} {y:.1f}C{x:.1f} {HEIGHT / 2:.1f} {other_x:.1f} {HEIGHT / 2:.1f} {other_x:.1f} {other_y:.1f}"
            )
            curves.append((path, ends, link))
        return curves


@dataclass(frozen=True, kw_only=True)
class MeteorPair:
    """The hypothesis and one reference.

    Attributes
    ----------
    hypothesis, reference : tuple of AlignedWord
    links : tuple of Link
        In the order of the hypothesis.
    scores : tuple of (str, float)
        All numbers of the scorer with this reference alone.
    """

    hypothesis: tuple[AlignedWord, ...]
    reference: tuple[AlignedWord, ...]
    links: tuple[Link, ...]
    scores: tuple[tuple[str, float], ...]

    @property
    def numbers(self) -> dict[str, float]:
        """The scores by name."""
        return dict(self.scores)

    def count(self, name: str) -> int:
        """One of the numbers that are counts."""
        return int(self.numbers[name])

    def matched(self, stage: str, side: str, kind: str) -> int:
        """Words of one text and kind ("content", "function") that a stage matched."""
        return self.count(f"{stage}_{side}_{kind}_count")

    @property
    def picture(self) -> Picture:
        """The alignment as an SVG draws it."""
        return Picture((self.hypothesis, self.reference), self.links)

    def words(self, link: Link) -> tuple[str, str]:
        """The words of a match in both texts."""
        sides = zip((self.hypothesis, self.reference), link.starts, link.lengths, strict=True)
        ours, theirs = (_spelled(row[start : start + length]) for row, start, length in sides)
        return ours, theirs

    @property
    def sentence(self) -> str:
        """All matches in words, for who cannot see the picture."""
        parts = (f"{' – '.join(self.words(link))} ({link.stage})" for link in self.links)
        return "; ".join(parts) or "no match"

    @property
    def chunks(self) -> list[str]:
        """The hypothesis's words of each chunk."""
        words: dict[int, list[str]] = {}
        for link in self.links:
            words.setdefault(link.chunk, []).append(self.words(link)[0])
        return [" ".join(chunk) for chunk in words.values()]


def _spelled(words: Sequence[AlignedWord]) -> str:
    return " ".join(visible(word.text) for word in words)


@dataclass(frozen=True, kw_only=True)
class MeteorTrace(PairTrace[MeteorPair]):
    """How METEOR comes to its number for one segment."""

    template: ClassVar[str] = "trace_meteor.html"

    scorer: Meteor

    @property
    def best(self) -> MeteorPair:
        """The pair that counts: the first with the best score."""
        return max(self.pairs, key=lambda pair: pair.numbers["meteor"])

    @property
    def formula(self) -> str:
        """METEOR's formula with the numbers of the best reference in it."""
        return f"METEOR = {self._meteor_terms(self.best)} = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """The rules behind the formulas."""
        scorer, delta = self.scorer, f"{self.scorer.delta:g}"
        counts = "the weight of its stage"
        if self.has_function_words:
            counts += f", {delta} times as a content word and {1 - scorer.delta:g} times as a function word"
        return [
            f"F = 1/((1 - {scorer.alpha:g})/P + {scorer.alpha:g}/R); in P and R a matched word counts {counts}",
            f"penalty = {scorer.gamma:g}·(chunks/m)^{scorer.beta:g}, with m the mean of both texts' matched words",
            *(["P and R count the characters of words"] if scorer.unit == "characters" else []),
        ]

    @property
    def has_function_words(self) -> bool:
        """Whether function words are told from content words."""
        return self.scorer.function_words is not None

    @property
    def stage_marks(self) -> dict[str, str]:
        """The marks of the scorer's stages."""
        return {stage: STAGES[stage] for stage in self.scorer.stages}

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns of ``rows``."""
        if self.has_function_words:
            return ("stage", "weight", "hypothesis: content", "function", "reference: content", "function")
        return ("stage", "weight", "hypothesis", "reference")

    def rows(self, pair: MeteorPair) -> list[tuple[str, tuple[str, ...]]]:
        """What each stage matched, with no state."""
        kinds = ("content", "function") if self.has_function_words else ("content",)
        return [
            (
                "",
                (
                    f"{STAGES[stage]} {stage}",
                    f"{weight:g}",
                    *(str(pair.matched(stage, side, kind)) for side in SIDES for kind in kinds),
                ),
            )
            for stage, weight in zip(self.scorer.stages, self.scorer.weights, strict=True)
        ]

    def title(self, name: str, pair: MeteorPair) -> str:
        """The score with a reference alone."""
        best = ", which counts" if len(self.pairs) > 1 and pair is self.best else ""
        return f"{name}{best}: METEOR = {pair.numbers['meteor']:.6g}"

    def lines(self, pair: MeteorPair) -> list[str]:
        """The formulas with a reference, and the chunks."""
        if not pair.links:
            return ["no word matches"]
        numbers, scorer = pair.numbers, self.scorer
        precision, recall, fmean, penalty = (
            f"{numbers[name] / scorer.scale:.6g}" for name in ("precision", "recall", "fmean", "penalty")
        )
        ours, theirs, chunks = map(pair.count, ("hypothesis_match_count", "reference_match_count", "chunk_count"))
        fragments = f"{scorer.gamma:g}·({chunks}/(({ours} + {theirs})/2))^{scorer.beta:g}"
        return [
            f"P = {self._ratio(pair, 'hypothesis')} = {precision}",
            f"R = {self._ratio(pair, 'reference')} = {recall}",
            f"F = 1/((1 - {scorer.alpha:g})/{precision} + {scorer.alpha:g}/{recall}) = {fmean}",
            f"penalty = {fragments} = {penalty}"
            if scorer.penalize_whole or not numbers["whole_count"]
            else "penalty = 0, as one chunk matches both texts whole",
            f"METEOR = {self._meteor_terms(pair)} = {numbers['meteor']:.6g}",
            f"{chunks} chunk{'s'[: chunks != 1]}: {' | '.join(pair.chunks)}",
        ]

    def parts(self) -> Iterator[RenderableType]:
        yield from (self.formula, *self.remarks, self.signature)
        for name, pair in self.named:
            yield from ("", self.title(name, pair))
            for row_name, row in (("hypothesis", pair.hypothesis), (name, pair.reference)):
                words = [visible(word.text) for word in row] or [visible("")]
                marks = [word.mark for word in row] or [""]
                yield ""
                yield from blocks([(f"{row_name:{len(name)}}", words), ("", marks)])
            yield from ("", *self.lines(pair))
            if pair.links:
                yield table(self.header, (cells for _, cells in self.rows(pair)))
        marks = [f"{mark} {stage}" for stage, mark in self.stage_marks.items()]
        yield from ("", " · ".join([*marks, *([f"{FUNCTION} function word"] if self.has_function_words else [])]))

    def _meteor_terms(self, pair: MeteorPair) -> str:
        scale = "" if self.scorer.scale == 1 else f"{self.scorer.scale:g}·"
        fmean, penalty = (pair.numbers[name] / self.scorer.scale for name in ("fmean", "penalty"))
        return f"{scale}{fmean:.6g}·(1 - {penalty:.6g})"

    def _ratio(self, pair: MeteorPair, side: str) -> str:
        """The weighed part of a text that is matched: of content words and function words, where they are apart."""
        length, function = pair.count(f"{side}_length"), pair.count(f"{side}_function_length")
        content = self._weighed(pair, side, "content")
        if not self.has_function_words:
            return f"({content})/{length}"
        delta = f"{self.scorer.delta:g}"
        rest = f"{1 - self.scorer.delta:g}"
        matched = f"{delta}·({content}) + {rest}·({self._weighed(pair, side, 'function')})"
        return f"({matched})/({delta}·{length - function} + {rest}·{function})"

    def _weighed(self, pair: MeteorPair, side: str, kind: str) -> str:
        terms = [
            f"{weight:g}·{count}"
            for stage, weight in zip(self.scorer.stages, self.scorer.weights, strict=True)
            if (count := pair.matched(stage, side, kind))
        ]
        return " + ".join(terms) or "0"


@trace.register
def _trace_meteor(scorer: Meteor, prediction: str, references: Sequence[str]) -> MeteorTrace:
    segment = scorer.read(Segments([prediction], [references], owner=type(scorer).__name__))
    texts = segment.pair(0)[1]
    return MeteorTrace(
        value=scorer.score_segments(segment).value,
        scorer=scorer,
        pairs=tuple(
            _pair(alignment, scorer.corpus([prediction], [[reference]]).scores)
            for alignment, reference in zip(scorer.alignments(prediction, texts), texts, strict=True)
        ),
    )


def _pair(alignment: Alignment, scores: Mapping[str, float]) -> MeteorPair:
    links = tuple(
        Link(
            stage=match.stage,
            starts=(match.hypothesis, match.reference),
            lengths=(match.hypothesis_length, match.reference_length),
            chunk=match.chunk,
        )
        for match in alignment.matches
    )
    return MeteorPair(
        hypothesis=_words(alignment.hypothesis, alignment.hypothesis_function, links, 0),
        reference=_words(alignment.reference, alignment.reference_function, links, 1),
        links=links,
        scores=tuple(scores.items()),
    )


def _words(words: Sequence[str], function: Sequence[bool], links: Sequence[Link], row: int) -> tuple[AlignedWord, ...]:
    """The words of one text, each with its match."""
    matches = {
        place: (number, link.stage)
        for number, link in enumerate(links, start=1)
        for place in range(link.starts[row], link.starts[row] + link.lengths[row])
    }
    return tuple(
        AlignedWord(text=word, function=function[place], link=number, stage=stage)
        for place, word in enumerate(words)
        for number, stage in [matches.get(place, (0, ""))]
    )
