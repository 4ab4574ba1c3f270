"""The causes of a gap in plain sentences, each with an example that is found in the texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from metrologue.attribution import Contribution
from metrologue.comparison.findings import NOTHING, Cause, Gap, Heavy
from metrologue.errors import InputError
from metrologue.reading import words
from metrologue.scorers import Scorer
from metrologue.scorers.core.described import meaning_of
from metrologue.segments import Segments

__all__ = ["find_causes", "heaviest_segments"]

Pieces = list[tuple[str, bool]]
Tokens = tuple[str, ...]

# A choice with a share below this part of the largest share of all gaps is not a cause worth a sentence.
SMALL = 5e-3
# We search for an example in this many segments: those whose scores the choice changes most.
TRIED = 100
# A longer run of tokens is no example that one can read.
READABLE = 8


def find_causes(gaps: Sequence[Gap], scorers: Mapping[str, Scorer], segments: Segments) -> list[Cause]:
    """A cause for each choice that makes neighbouring variants differ on one system's texts; the largest share first.

    Parameters
    ----------
    gaps : sequence of Gap
        The gaps of one system.
    scorers : mapping of str to Scorer
        The variants, by name.
    segments : Segments
        The texts of this system.
    """
    parts = [(gap, part) for gap in gaps for part in gap.contributions]
    parts.sort(key=lambda each: -abs(each[1].share))
    largest = abs(parts[0][1].share) if parts else 0.0
    told: dict[tuple[str, frozenset[str]], Cause] = {}
    for gap, part in parts:
        key = part.choice, frozenset((part.a, part.b))
        if key not in told and abs(part.share) > max(SMALL * largest, NOTHING):
            told[key] = _cause(gap, part, scorers, segments)
    return list(told.values())


def _cause(gap: Gap, part: Contribution, scorers: Mapping[str, Scorer], segments: Segments) -> Cause:
    a, b = scorers[gap.variant_a], scorers[gap.variant_b]
    fields = next(choice.fields for choice in a._choices() if choice.name == part.choice)
    differing = [name for name in fields if getattr(a, name) != getattr(b, name)]
    changed = a._from_fields({**_fields(a), **{name: getattr(b, name) for name in fields}})
    order, effects = _by_effect(a, changed, segments)
    segment: int | None
    example = None
    if {"tokenizer", "lowercase"} & set(differing):
        example = _reading_example(a, changed, segments, order)
    pieces: Pieces
    if example:
        segment, tokens_a, tokens_b, apart = example
        pieces = _reading_sentence(gap, tokens_a, tokens_b, apart)
    else:
        segment = int(order[0]) if len(order) else None
        tokens_a = tokens_b = _tokens(a, segments.pair(segment)[0]) if segment is not None else ()
        pieces = _choice_sentence(gap, a, b, differing)
        pieces += _effect_sentence(segment, effects, tokens_a, a)
    return Cause(
        choice=part.choice,
        system=gap.system,
        variant_a=gap.variant_a,
        variant_b=gap.variant_b,
        share=part.share,
        pieces=tuple(pieces),
        segment=segment,
        tokens_a=tokens_a,
        tokens_b=tokens_b,
    )


def _fields(scorer: Scorer) -> dict[str, object]:
    return {name: getattr(scorer, name) for name in scorer._options()}


def _by_effect(a: Scorer, changed: Scorer, segments: Segments) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Segments whose own scores the change moves, the largest change first; and both scores of all segments."""
    try:
        before, after = (scorer.segment_scores(segments)[a.primary] for scorer in (a, changed))
    except (InputError, KeyError):  # a metric may have no score of one segment
        before = after = np.zeros(len(segments))
    if len(before) != len(after):  # one of the two scores a sample of the segments
        before = after = np.zeros(len(segments))
    effect = np.abs(after - before) / (a._perfect_score or 1.0)
    order = np.argsort(-effect, kind="stable")
    return order[effect[order] > NOTHING], (before, after)


def _tokens(scorer: Scorer, text: Any) -> Tokens:
    """A text as the scorer's tokenizer reads it; without one, the text or label itself; the labels of a set."""
    if isinstance(text, Iterable) and not isinstance(text, str):
        return tuple(map(str, text))
    tokenizer = getattr(scorer, "tokenizer", None)
    if not isinstance(tokenizer, str):
        return (str(text),)
    return tuple(Segments([text]).read(words(tokenizer, bool(getattr(scorer, "lowercase", False)))).tokens_of(0))


def _reading_example(
    a: Scorer, changed: Scorer, segments: Segments, order: np.ndarray
) -> tuple[int, Tokens, Tokens, tuple[str, str] | None] | None:
    """A segment, some tokens as each of the two reads them, and two tokens that only one of them tells apart."""
    second_best = None
    tried = order if len(order) else np.arange(len(segments))
    for segment in map(int, tried[:TRIED]):
        prediction, references = segments.pair(segment)
        for text, others in [*((text, [prediction]) for text in references), (prediction, references)]:
            for mine, its in _differences(_tokens(a, text), _tokens(changed, text)):
                whole, parts, reader = (mine, its, a) if len(mine) <= len(its) else (its, mine, changed)
                known = {token for other in others for token in _tokens(reader, other)}
                partner = next((part for part in parts if part in known), None)
                if len(whole) == 1 and whole[0] not in known and partner and partner != whole[0]:
                    return segment, mine, its, (whole[0], partner)
                second_best = second_best or (segment, mine, its, None)
    return second_best


def _differences(mine: Tokens, its: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    for kind, i, j, k, m in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
        if kind != "equal" and max(j - i, m - k) <= READABLE and (j > i or m > k):
            yield mine[i:j], its[k:m]


def _reading_sentence(gap: Gap, mine: Tokens, its: Tokens, apart: tuple[str, str] | None) -> Pieces:
    pieces = [(f"{gap.variant_a} reads ", False), *_listed(mine), (f" where {gap.variant_b} reads ", False)]
    pieces += _listed(its)
    if apart:
        reader = gap.variant_a if len(mine) <= len(its) else gap.variant_b
        pieces += [(f", so for {reader} ", False), (apart[0], True), (" and ", False), (apart[1], True)]
        pieces += [(" never match", False)]
    return [*pieces, (".", False)]


def _listed(tokens: Tokens) -> Pieces:
    """Tokens, with their number in words a reader needs: one token is one token."""
    if not tokens:
        return [("nothing", False)]
    pieces: Pieces = [("one token " if len(tokens) == 1 else f"{len(tokens)} tokens ", False)]
    for place, token in enumerate(tokens):
        pieces += [(" ", False)] * bool(place) + [(token, True)]
    return pieces


def _choice_sentence(gap: Gap, a: Scorer, b: Scorer, differing: Sequence[str]) -> Pieces:
    pieces: Pieces = []
    for field in differing[:2]:
        pieces += [("; " if pieces else "", False), (field, True), (" is ", False)]
        for name, scorer, end in ((gap.variant_a, a, " and "), (gap.variant_b, b, "")):
            value = getattr(scorer, field)
            about = meaning_of(type(scorer), field, value) if isinstance(value, str) else ""
            pieces += [(_spelled(value), True), (f" for {name}{f' ({about})' * bool(about)}{end}", False)]
        if not isinstance(getattr(a, field), str) and (about := meaning_of(type(a), field, None)):
            pieces += [(f" ({about})", False)]
    return pieces


def _spelled(value: object) -> str:
    """A field's value as people write it."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _effect_sentence(
    segment: int | None, effects: tuple[np.ndarray, np.ndarray], tokens: Tokens, scorer: Scorer
) -> Pieces:
    """What the choice alone does to the segment where it does most."""
    if segment is None:
        return [(": no segment alone shows it, only the sums of all do.", False)]
    factor = 100.0 / scorer._perfect_score if scorer._perfect_score else 1.0
    before, after = (f"{factor * float(scores[segment]):.2f}" for scores in effects)
    shown = [*tokens[:READABLE], *(["…"] if len(tokens) > READABLE else [])]
    return [
        (": this alone moves ", False),
        *_listed(tuple(shown))[1:],
        (f" (segment {segment}) from {before} to {after}.", False),
    ]


def heaviest_segments(
    scorers: Mapping[str, Scorer], values: Mapping[str, float], system: str, segments: Segments, most: int = 10
) -> list[Heavy]:
    """The segments that weigh most in the gap between the variants with the least and with the greatest number.

    The weight of a segment is what the gap loses if the segment is left out. Only scores of sums have such weights.

    Parameters
    ----------
    scorers : mapping of str to Scorer
    values : mapping of str to float
        The number of each variant for the corpus, on one scale.
    system : str
    segments : Segments
    most : int
        How many segments to give.
    """
    known = sorted((name for name in values if scorers[name]._additive), key=lambda name: values[name])
    if len(segments) < 2 or len(known) < 2 or values[known[-1]] - values[known[0]] <= NOTHING:
        return []
    a, b = known[0], known[-1]
    try:
        losses, own = zip(*(_left_out(scorers[name], segments) for name in (a, b)), strict=True)
    except (InputError, KeyError):
        return []
    if len(losses[0]) != len(losses[1]):  # one of the two scores a sample of the segments
        return []
    with np.errstate(invalid="ignore"):
        weights = (values[b] - values[a]) - (losses[1] - losses[0])
    factor = 100.0 if scorers[a]._perfect_score else 1.0
    heavy = []
    for index in map(int, np.argsort(-np.nan_to_num(weights, nan=-np.inf), kind="stable")[:most]):
        if not weights[index] > NOTHING:
            break
        prediction, references = segments.pair(index)
        heavy.append(
            Heavy(
                segment=index,
                system=system,
                variant_a=a,
                variant_b=b,
                prediction=prediction,
                references=list(references),
                score_a=factor * float(own[0][index]),
                score_b=factor * float(own[1][index]),
                weight=factor * float(weights[index]),
            )
        )
    return heavy


def _left_out(scorer: Scorer, segments: Segments) -> tuple[np.ndarray, np.ndarray]:
    """The score without each segment, and the score of each segment, (n,) each, on a scale of 1."""
    rows = scorer.statistics(segments)
    scale = scorer._perfect_score or 1.0
    without = scorer.score(scorer.aggregate(rows) - rows)[scorer.primary]
    return without / scale, scorer.segment_scores(segments)[scorer.primary] / scale
