"""The trace of TESLA-CELAB: which n-grams match, with which weights, and what of both texts they cover."""

from __future__ import annotations

from metrologue.data.arrays import Floats
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.tesla_celab import TeslaCelab
from metrologue.scorers.tesla_celab.kernels import CoveredTexts, coverage_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Notes, Row, Section, Table, Trace, reference_names, short

_WHOLE = 1 - 1e-9  # a weight is a sum of floats


def build(scorer: TeslaCelab, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    result = scorer.corpus(segment)
    names = reference_names(len(segment.pair(0)[1]))
    rows = scorer._of_pairs(scorer._pairs(segment))
    rule = "max" if scorer.multi_reference == "best" else "mean"
    scores = ", ".join(short(scorer.scale * float(row[0])) for row in rows)
    remarks = [f"{len(names)} references: the {'best' if rule == 'max' else rule} of their scores counts"] * (
        len(names) > 1
    )
    remarks += ["without synonyms: only equal n-grams match"] * (scorer.synonyms is None)
    formula = f"{scorer.title} = {rule}({scores}) = {result.value}"
    sections = (_section(scorer, segment, name, at) for at, name in enumerate(names))
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))


def _section(scorer: TeslaCelab, segment: Segments, name: str, pair: int) -> Section:
    """The hypothesis and one reference."""
    view, texts = scorer._texts(segment)
    sides = [int(side[pair]) for side in view.pairs]
    tokens = [[view.spelling(one) for one in view.ids[slice(*view.offsets[s : s + 2])].tolist()] for s in sides]
    links, weights, covered = coverage_of(texts, sides[0], sides[1], scorer.max_order, scorer.first_units == "short")
    sent = [_by_entry(texts, text, weights[side], scorer.max_order) for side, text in enumerate(sides)]
    rows = []
    for own, its in zip(links.hypotheses.tolist(), links.references.tolist(), strict=True):
        spelled = [
            _ngram(texts, text, entry, tokens[i]) for i, (text, entry) in enumerate(zip(sides, (own, its), strict=True))
        ]
        rows.append(Row(cells=(spelled[0], sent[0].get(own, 0.0), spelled[1], sent[1].get(its, 0.0))))
    counts = scorer._pairs(segment)[pair]
    score, precision, recall = (float(one) for one in scorer._of_pairs(counts[None])[0])
    w = scorer.precision_weight
    matches = Table(
        name=f"n-grams that match {name}", header=("hypothesis", "its weight", "reference", "its weight"),
        rows=tuple(rows),
        caption=f"({counts[1]:.6g} + {w:g}·{counts[0]:.6g})/({counts[3]:g} + {w:g}·{counts[2]:g}) = {score:.6g}",
        summary=f"{len(rows)} matches",
    )  # fmt: skip
    values = {"score": score, "precision": precision, "recall": recall}
    blocks = (matches, _orders(name, scorer, tokens, covered), _missing(name, scorer, tokens, covered))
    return Section(name=name, title=f"{name}: P {precision:.6g}, R {recall:.6g}", blocks=blocks, values=values)


def _by_entry(texts: CoveredTexts, text: int, weights: Floats, max_order: int) -> dict[int, float]:
    """The weight of all n-grams of each entry."""
    found: dict[int, float] = {}
    first, last = (int(end) * max_order for end in texts.offsets[text : text + 2])
    for entry, weight in zip(texts.places[first:last].tolist(), weights.tolist(), strict=False):
        if entry >= 0:
            found[entry] = found.get(entry, 0.0) + weight
    return found


def _ngram(texts: CoveredTexts, text: int, entry: int, tokens: list[str]) -> str:
    at = int(texts.limits[text]) + entry
    start = int(texts.starts[at] - texts.offsets[text])
    return " ".join(tokens[start : start + int(texts.orders[at])])


def _orders(name: str, scorer: TeslaCelab, tokens: list[list[str]], covered: Floats) -> Block:
    """How much of each order is covered."""
    rows = []
    for order in range(1, scorer.max_order + 1):
        cells: list[float] = []
        for side, own in enumerate(tokens):
            count = max(len(own) - order + 1, 0)
            cells += [float(covered[side, order - 1 :: scorer.max_order][:count].sum()), count]
        if any(cells):
            rows.append(Row(cells=(order, *cells)))
    return Table(
        name=f"coverage with {name}",
        header=("order", "covered in the hypothesis", "of", "covered in the reference", "of"), rows=tuple(rows),
        caption="n-grams of both texts, and how much of them the weights cover", summary=f"{len(rows)} orders",
    )  # fmt: skip


def _missing(name: str, scorer: TeslaCelab, tokens: list[list[str]], covered: Floats) -> Block:
    """The tokens of both texts that are not wholly covered."""
    lines = []
    for side, own, title in zip(range(2), tokens, ("hypothesis", name), strict=True):
        lacking = [t for i, t in enumerate(own) if covered[side, i * scorer.max_order] < _WHOLE]
        lines.append(f"not wholly covered in the {title}: {' '.join(lacking) or 'nothing'}")
    return Notes(lines=tuple(lines))
