"""The trace of Pyramid: the tiers with their SCUs, which models have each, what the summary expresses, and the sums."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from metrologue.reading import View, words
from metrologue.scorers.pyramid import Pyramid
from metrologue.scorers.pyramid.tiers import Pyramids, pyramids_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Listing, Notes, Row, Section, Span, Table, Trace, short

__all__ = ["build"]


def build(scorer: Pyramid, segment: Segments) -> Trace:
    """The trace of one summary."""
    result = scorer.corpus(segment)
    view = segment.units(words(scorer.tokenizer, scorer.lowercase))
    found = pyramids_of(view)
    pyramid = Section(name="pyramid", title="the pyramid, the heaviest SCUs first", blocks=_tiers(view, found))
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=result.signature,
        formula=f"Pyramid = {_terms(scorer, found, result.scores)} = {result.value}",
        remarks=("score = weight of the summary's SCUs / weight of an ideal summary", *_remarks(result.scores)),
        blocks=(pyramid, Notes(lines=_sums(scorer, found))),
        values=result.scores,
    )


def _tiers(view: View, found: Pyramids) -> tuple[Block, ...]:
    """A listing of each tier, and a table of all SCUs with the models that have them."""
    models = [{*view.ids[first:last].tolist()} for first, last in pairwise(view.offsets[1:])]
    own = zip(found.ids.tolist(), found.tiers.tolist(), found.expressed.tolist(), strict=True)
    scus = [(unit, int(weight), said) for unit, weight, said in own]
    listings: list[Block] = []
    for weight in sorted({tier for _, tier, _ in scus}, reverse=True):
        tier = [(unit, said) for unit, its, said in scus if its == weight]
        spans = tuple(Span(tokens=(view.spelling(unit),), state=_state(said)) for unit, said in tier)
        count = sum(said for _, said in tier)
        name = f"weight {weight}: {count} of {len(tier)}"
        listings.append(Listing(name=name, spans=spans, summary=f"{name} SCUs are in the summary"))
    rows = tuple(
        Row(
            cells=(
                view.spelling(unit), weight, " ".join(str(i) for i, model in enumerate(models, 1) if unit in model),
                "yes" if said else "",
            ),
            state=_state(said),
        )
        for unit, weight, said in scus
    )  # fmt: skip
    meanings = (("matched", "the summary expresses it"), ("missing", "the summary does not"))
    table = Table(
        name="SCUs", header=("SCU", "weight", "models", "in the summary"), rows=rows, meanings=meanings,
        summary=f"{len(rows)} SCUs and the models that have them",
    )  # fmt: skip
    return (*listings, *_unmatched(view, found), table)


def _unmatched(view: View, found: Pyramids) -> tuple[Listing, ...]:
    """The units of the summary that no model has, if there are any."""
    known = {*found.ids.tolist()}
    units = [unit for unit in dict.fromkeys(view.ids[: view.offsets[1]].tolist()) if unit not in known]
    spans = tuple(Span(tokens=(view.spelling(unit),), state="clipped") for unit in units)
    name = f"in no model: {len(units)}"
    return (Listing(name=name, spans=spans, summary=f"{len(units)} units of the summary that no model has"),) * bool(
        units
    )


def _state(said: bool) -> str:
    return "matched" if said else "missing"


def _ideal(scorer: Pyramid, found: Pyramids, name: str) -> tuple[float, float]:
    """The size and the weight of the ideal summary of a score."""
    own = found.mention_counts if scorer.repeats == "each" else found.unit_counts
    size = own if name == "original" else scorer._average(found)
    return float(size[0]), float(found.ideal_weights(size)[0])


def _terms(scorer: Pyramid, found: Pyramids, numbers: dict[str, float]) -> str:
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g} · "
    if scorer.ideal == "both":
        own, its = (short(numbers[name] / scorer.scale) for name in ("original", "modified"))
        return f"{scale}2 · {own} · {its} / ({own} + {its})"
    name = {"models": "modified", "summary": "original"}[scorer.ideal]
    ideal = f"{found.weights[0]:g} / {_ideal(scorer, found, name)[1]:g}"
    return f"{scale}min(1, {ideal})" if name == "modified" and scorer.capped else f"{scale}{ideal}"


def _remarks(numbers: dict[str, float]) -> tuple[str, ...]:
    average = numbers["contributor_count"] / numbers["model_count"]
    return (f"{numbers['model_count']} models with {short(average)} SCUs on average",)


def _sums(scorer: Pyramid, found: Pyramids) -> tuple[str, ...]:
    """How the original and the modified score come about."""
    weight = found.weights[0]
    lines = [f"weight of the summary = {_sum(found.tiers[found.expressed])}"]
    for name in ("original", "modified"):
        size, ideal = _ideal(scorer, found, name)
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
