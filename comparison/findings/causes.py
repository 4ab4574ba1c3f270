"""The causes of a gap in plain sentences, each with an example that is found in the texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from metrologue.attribution import Contribution
from metrologue.comparison.findings.records import NOTHING, Cause, Gap, Heavy
from metrologue.errors import InputError
from metrologue.scorers import Scorer
from metrologue.scorers.core.described import meaning_of
from metrologue.scorers.core.engine import is_additive, with_fields
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import choices_of, options_of
from metrologue.scorers.core.typed import numbered_like
from metrologue.segments import Segments
from metrologue.text.reading import View, words

__all__ = ["find_causes", "heaviest_segments"]

Pieces = list[tuple[str, bool]]
Tokens = tuple[str, ...]

# A choice with a share below this part of the largest share of all gaps is not a cause worth a sentence.
SMALL = 5e-3
# We search for an example in this many texts: so many of the most frequent token, then of the next one, and so on.
TRIED, TRIED_OF_ONE = 200, 20
# A longer run of tokens is no example that one can read.
READABLE = 8
_HEAVIEST = 10  # segments are given


def find_causes(
    gaps: Sequence[Gap], scorers: Mapping[str, Scorer], segments: Segments, factor: float = 100.0
) -> list[Cause]:
    """A cause for each choice that makes neighbouring variants differ on one system's texts; the largest share first.

    Two numbers that are equal because shares cancel out have no cause.

    Parameters
    ----------
    gaps : sequence of Gap
        The gaps of one system.
    scorers : mapping of str to Scorer
        The variants, by name.
    segments : Segments
        The texts of this system.
    factor : float
        As for ``Explanation.cancelled``.
    """
    parts = [(gap, part) for gap in gaps if not gap.cancelled(factor) for part in gap.contributions]
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
    fields = next(choice.fields for choice in choices_of(type(a)) if choice.name == part.choice)
    differing = [name for name in fields if getattr(a, name) != getattr(b, name)]
    changed = numbered_like(with_fields(type(a), {**_fields(a), **{name: getattr(b, name) for name in fields}}), a)
    order, effects = _by_effect(a, changed, segments)
    segment: int | None
    example = None
    if {"tokenizer", "lowercase"} & set(differing):
        example = _reading_example(a, changed, segments)
    pieces: Pieces
    if example:
        segment, tokens_a, tokens_b = example.segment, example.mine, example.its
        pieces = _reading_sentence(gap, example)
    else:
        segment = int(order[0]) if len(order) else None
        tokens_a = tokens_b = _tokens(a, segments.pair(segment)[0]) if segment is not None else ()
        pieces = _choice_sentence(gap, a, b, differing)
        if segment is None:
            pieces += [(_without_a_segment(a, changed, segments), False)]
        else:
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
    return {name: getattr(scorer, name) for name in options_of(type(scorer))}


def _by_effect(a: Scorer, changed: Scorer, segments: Segments) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Segments whose own scores the change moves, the largest change first; and both scores of all segments."""
    try:
        before, after = (scorer.segment_scores(segments)[a.primary] for scorer in (a, changed))
    except (InputError, KeyError):  # a metric may have no score of one segment
        before = after = np.zeros(len(segments))
    if len(before) != len(after):  # one of the two scores a sample of the segments
        before = after = np.zeros(len(segments))
    effect = np.abs(after - before) / (perfect_score(a) or 1.0)
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


@dataclass(frozen=True)
class _Example:
    """Tokens of a segment as each of two scorers reads them.

    Attributes
    ----------
    segment : int
    mine, its : tuple of str
        The same letters as the first scorer reads them, and as the second does.
    whole : str
        The token that only one of the two has, which cuts less or keeps the case: the first one if `of_first`.
    apart : str
        A token that only the other one has in place of `whole`, and that stands on the other side. It may be empty.
    count, total : int
        How many more of this token the one scorer has in all texts, and of all its tokens.
    """

    segment: int
    mine: Tokens
    its: Tokens
    whole: str
    of_first: bool
    apart: str
    count: int
    total: int


def _view(scorer: Scorer, segments: Segments) -> View | None:
    """All texts as the scorer's tokenizer reads them; None without one."""
    tokenizer = getattr(scorer, "tokenizer", None)
    if not isinstance(tokenizer, str):
        return None
    try:
        return segments.read(words(tokenizer, bool(getattr(scorer, "lowercase", False))))
    except InputError:  # labels are no text
        return None


def _counts(view: View) -> dict[str, int]:
    """How often each token occurs, in the order in which they first occur in the vocabulary."""
    found = np.bincount(view.ids, minlength=view.type_count)
    return {view.vocabulary.spelling(int(number)): int(found[number]) for number in np.flatnonzero(found)}


def _reading_example(a: Scorer, changed: Scorer, segments: Segments) -> _Example | None:
    """The most frequent token that only one of the two scorers has, in a segment where it matters if there is one.

    It matters where the token matches nothing on the other side, but would match as the other scorer reads it.
    """
    first, second = _view(a, segments), _view(changed, segments)
    if first is None or second is None:
        return None
    tokens, others = _counts(first), _counts(second)
    of_first = (len(first.ids), -len(tokens)) <= (len(second.ids), -len(others))
    view = first if of_first else second
    tokens, others = (tokens, others) if of_first else (others, tokens)
    more = {token: count - others.get(token, 0) for token, count in tokens.items() if count > others.get(token, 0)}
    second_best, left = None, TRIED
    for token in sorted(more, key=lambda each: -more[each]):
        texts = _texts_with(view, token)[: min(TRIED_OF_ONE, left)]
        left -= len(texts)
        for text in texts:
            segment, facing = _facing(view, text)
            known = {other for place in facing for other in view.tokens_of(place)}
            for mine, its in _differences(tuple(first.tokens_of(text)), tuple(second.tokens_of(text))):
                single, parts = (mine, its) if of_first else (its, mine)
                if single != (token,):
                    continue
                apart = next((part for part in parts if part in known and part != token and token not in known), "")
                found = _Example(segment, mine, its, token, of_first, apart, more[token], sum(more.values()))
                if apart:
                    return found
                second_best = second_best or found
        if not left:
            break
    return second_best


def _texts_with(view: View, token: str) -> list[int]:
    """The texts with a token, in their order."""
    places = np.flatnonzero(view.ids == view.vocabulary.find(token))
    return [*dict.fromkeys((np.searchsorted(view.offsets, places, side="right") - 1).tolist())]


def _facing(view: View, text: int) -> tuple[int, range]:
    """The segment of a text, and the texts that it is compared with."""
    if text < view.first_reference:
        start, stop = view.first_reference + view.reference_offsets[text : text + 2]
        return text, range(start, stop)
    segment = int(np.searchsorted(view.reference_offsets, text - view.first_reference, side="right")) - 1
    return segment, range(segment, segment + 1)


def _differences(mine: Tokens, its: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    for kind, i, j, k, m in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes():
        if kind != "equal" and max(j - i, m - k) <= READABLE and (j > i or m > k):
            yield mine[i:j], its[k:m]


def _reading_sentence(gap: Gap, found: _Example) -> Pieces:
    pieces = [(f"{gap.variant_a} reads ", False), *_listed(found.mine), (f" where {gap.variant_b} reads ", False)]
    pieces += _listed(found.its)
    if found.total > 1:
        told = f"{found.count:,} of {found.total:,} tokens that they read differently"
        pieces += [(f" ({told})", False)]
    if found.apart:
        reader = gap.variant_a if found.of_first else gap.variant_b
        pieces += [(f", so for {reader} ", False), (found.whole, True), (" and ", False), (found.apart, True)]
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


def _without_a_segment(a: Scorer, changed: Scorer, segments: Segments) -> str:
    """What is said of a choice that alone moves the score of no segment."""
    try:
        before, after = (scorer.corpus(segments).value / (perfect_score(a) or 1.0) for scorer in (a, changed))
    except InputError:
        before = after = 0.0
    if len(segments) > 1 and abs(after - before) > NOTHING:
        return ": no segment alone shows it, only the score of all of them."
    return ": alone it changes nothing here; it acts only together with another choice."


def _effect_sentence(segment: int, effects: tuple[np.ndarray, np.ndarray], tokens: Tokens, scorer: Scorer) -> Pieces:
    """What the choice alone does to the segment that it changes most."""
    perfect = perfect_score(scorer)
    factor = 100.0 / perfect if perfect else 1.0
    before, after = (f"{factor * float(scores[segment]):.2f}" for scores in effects)
    shown = [*tokens[:READABLE], *(["…"] if len(tokens) > READABLE else [])]
    return [
        (": this alone moves ", False),
        *_listed(tuple(shown))[1:],
        (f" (segment {segment + 1}, counted from 1) from {before} to {after}.", False),
    ]


def heaviest_segments(
    scorers: Mapping[str, Scorer], values: Mapping[str, float], system: str, segments: Segments
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
    """
    known = sorted((name for name in values if is_additive(scorers[name])), key=lambda name: values[name])
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
    factor = 100.0 if perfect_score(scorers[a]) else 1.0
    heavy = []
    for index in map(int, np.argsort(-np.nan_to_num(weights, nan=-np.inf), kind="stable")[:_HEAVIEST]):
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
    scale = perfect_score(scorer) or 1.0
    without = scorer.score(scorer.aggregate(rows) - rows)[scorer.primary]
    return without / scale, scorer.segment_scores(segments)[scorer.primary] / scale
