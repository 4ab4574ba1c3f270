"""The trace of METEOR: the alignment as a picture, the stages that found it, its chunks, and the formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from metrologue.scorers.meteor import Alignment, Meteor
from metrologue.segments import Segments
from metrologue.trace.base import PairTrace, blocks, table, trace, visible
from metrologue.trace.picture import FUNCTION, STAGES, AlignedWord, Link, Picture

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["MeteorPair", "MeteorTrace"]

SIDES = ("hypothesis", "reference")


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
    segments = Segments([prediction], [references], owner=type(scorer).__name__)
    read, texts = scorer.read(segments).pair(0)
    return MeteorTrace(
        value=scorer.score_segments(segments).value,
        scorer=scorer,
        pairs=tuple(
            _pair(alignment, scorer.corpus([read], [[text]]).scores)
            for alignment, text in zip(scorer.alignments(prediction, references), texts, strict=True)
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
