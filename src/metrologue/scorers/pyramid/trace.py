"""The trace of Pyramid: the tiers with their SCUs, which models have each, what the summary expresses, and the sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.pyramid import Pyramid, Pyramids, pyramids_of
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.tracing import Block, Listing, Notes, Row, Section, Span, Table, Trace, short


class Scu(NamedTuple):
    """An SCU as it is shown: what it says, the models that have it, and what of the summary expresses it."""

    name: str
    models: list[int]
    said: str


def build(scorer: Pyramid, segment: Segments) -> Trace:
    """The trace of one summary."""
    view = segment.units(words(scorer.tokenizer, scorer.lowercase))
    pyramids = pyramids_of(view)
    models = [{*view.ids[first:last].tolist()} for first, last in pairwise(view.offsets[1:])]
    scus = [
        Scu(view.spelling(unit), [i for i, model in enumerate(models) if unit in model], "yes" if said else "")
        for unit, said in zip(pyramids.ids.tolist(), pyramids.expressed.tolist(), strict=True)
    ]
    known = {*pyramids.ids.tolist()}
    units = [unit for unit in dict.fromkeys(view.ids[: view.offsets[1]].tolist()) if unit not in known]
    return pyramid_trace(scorer, segment, pyramids, scus, [view.spelling(unit) for unit in units])


def pyramid_trace(
    scorer: Pyramid, segment: Segments, pyramids: Pyramids, scus: Sequence[Scu], others: Sequence[str], *more: Block
) -> Trace:
    """The trace of a pyramid: its SCUs, the heaviest first, and the other units of the summary."""
    result = scorer.corpus(segment)
    blocks = (*_tiers(scus, others), *more)
    pyramid = Section(name="pyramid", title="the pyramid, the heaviest SCUs first", blocks=blocks)
    scores = result.scores
    average = short(scores["contributor_count"] / scores["model_count"])
    remarks = (
        "score = weight of the summary's SCUs / weight of an ideal summary",
        f"{scores['model_count']} models with {average} SCUs on average",
    )
    formula = f"{scorer.title} = {_terms(scorer, pyramids, scores)} = {result.value}"
    return trace_of(scorer, result, formula, (pyramid, Notes(lines=_sums(scorer, pyramids))), remarks)


def _tiers(scus: Sequence[Scu], others: Sequence[str]) -> Iterator[Block]:
    """A listing of each tier and of the units that no model has, and a table of all SCUs with their models."""
    for weight in sorted({len(scu.models) for scu in scus}, reverse=True):
        tier = [scu for scu in scus if len(scu.models) == weight]
        spans = tuple(Span(tokens=(scu.name,), state=_state(bool(scu.said))) for scu in tier)
        name = f"weight {weight}: {sum(bool(scu.said) for scu in tier)} of {len(tier)}"
        yield Listing(name=name, spans=spans, summary=f"{name} SCUs are in the summary")
    if others:
        spans = tuple(Span(tokens=(other,), state="clipped") for other in others)
        summary = f"{len(others)} units of the summary that no model has"
        yield Listing(name=f"in no model: {len(others)}", spans=spans, summary=summary)
    rows = []
    for scu in scus:
        cells = (scu.name, len(scu.models), " ".join(str(model + 1) for model in scu.models), scu.said)
        rows.append(Row(cells=cells, state=_state(bool(scu.said))))
    yield Table(
        name="SCUs", header=("SCU", "weight", "models", "in the summary"), rows=tuple(rows),
        meanings=(("matched", "the summary expresses it"), ("missing", "the summary does not")),
        summary=f"{len(rows)} SCUs and the models that have them",
    )  # fmt: skip


def _state(said: bool) -> str:
    return "matched" if said else "missing"


def _ideal(scorer: Pyramid, pyramids: Pyramids, name: str) -> tuple[float, float]:
    """The size and the weight of the ideal summary of a score."""
    own = pyramids.mention_counts if scorer.repeats == "each" else pyramids.unit_counts
    size = own if name == "original" else scorer._average(pyramids)
    return float(size[0]), float(pyramids.ideal_weights(size)[0])


def _terms(scorer: Pyramid, pyramids: Pyramids, numbers: dict[str, float]) -> str:
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g} · "
    if scorer.ideal == "both":
        own, its = (short(numbers[name] / scorer.scale) for name in ("original", "modified"))
        return f"{scale}2 · {own} · {its} / ({own} + {its})"
    name = {"models": "modified", "summary": "original"}[scorer.ideal]
    ideal = f"{pyramids.weights[0]:g} / {_ideal(scorer, pyramids, name)[1]:g}"
    return f"{scale}min(1, {ideal})" if name == "modified" and scorer.capped else f"{scale}{ideal}"


def _sums(scorer: Pyramid, pyramids: Pyramids) -> tuple[str, ...]:
    """How the original and the modified score come about."""
    weight = pyramids.weights[0]
    lines = [f"weight of the summary = {_sum(pyramids.tiers[pyramids.expressed])}"]
    for name in ("original", "modified"):
        size, ideal = _ideal(scorer, pyramids, name)
        value = weight / ideal if ideal else 0.0
        capped = ", which counts as 1" if name == "modified" and scorer.capped and value > 1 else ""
        quotient = f"{weight:g} / {ideal:g} = {short(value)}{capped}"
        lines.append(f"{name}: an ideal summary of {size:g} SCUs weighs {ideal:g}; {quotient}")
    return tuple(lines)


def _sum(weights: np.ndarray) -> str:
    """How the weights of each tier add up."""
    tiers, counts = np.unique(weights, return_counts=True)
    terms = [f"{count} · {tier:g}" for tier, count in zip(tiers[::-1], counts[::-1], strict=True)]
    return f"{' + '.join(terms) or '0'} = {weights.sum():g}"
