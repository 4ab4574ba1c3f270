"""The trace of BERTScore: the cosines of all tokens, the strongest matches, and what each token adds to F1."""

from __future__ import annotations

from metrologue.scorers.bertscore import BertScore
from metrologue.scorers.bertscore.matching import Pair, TokenShare, shares_of
from metrologue.scorers.core.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Block, Link, Row, Section, Table, Trace, aligned_words, heat_map, reference_names, short


def build(scorer: BertScore, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    fitted = scorer if scorer._is_fitted else scorer.fit(segment)
    result = fitted.corpus(segment)
    names = reference_names(len(segment.pair(0)[1]))
    sections = [_section(fitted, name, fitted._best_pair(segment, at)) for at, name in enumerate(names)]
    scores = result.scores
    p, r = short(scores["precision"]), short(scores["recall"])
    one = len(names) == 1 and fitted.baseline is None
    formula = f"F1 = 2·{p}·{r}/({p} + {r}) = {result.value}" if one else f"P = {p}, R = {r}, F1 = {result.value}"
    rules = {"best-each": "the greatest P, R and F1, each on its own", "best": "the one with the best F1"}
    rules |= {"mean": "the means of P, R and F1", "first": "the first one counts"}
    remarks = [f"{len(names)} references: {rules[fitted.multi_reference]}"] if len(names) > 1 else []
    if fitted.baseline is not None:
        remarks.append(f"rescaled: (x - b)/(1 - b), with b = {', '.join(map(short, fitted.baseline))} for P, R, F1")
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))


def _section(scorer: BertScore, name: str, pair: Pair) -> Section:
    """The hypothesis and one reference."""
    shares = shares_of(pair, "f1", scorer._baselines, scorer.scale)
    blocks: list[Block] = [_links(name, pair), _heat_map(name, pair), _shares(name, shares)]
    values = {"precision": pair.precision, "recall": pair.recall, "f1": pair.f1}
    title = f"{name}: P {pair.precision:.6g}, R {pair.recall:.6g}, F1 {pair.f1:.6g}"
    return Section(name=name, title=title, blocks=tuple(blocks), values=values)


def _links(name: str, pair: Pair) -> Block:
    """Each token of the hypothesis with the most similar token of the reference."""
    best = pair.cosines.argmax(axis=1).tolist() if pair.cosines.size else []
    links = [
        Link(name=f"{pair.cosines[i, j]:.2f}", shape="circle", starts=(i, j), lengths=(1, 1))
        for i, j in enumerate(best)
    ]
    return aligned_words(("hypothesis", name), pair.tokens, links)


def _heat_map(name: str, pair: Pair) -> Block:
    """The cosines; the strongest one of each token of either text is marked."""
    best = [side.argmax(axis=1).tolist() if side.size else [] for side in (pair.cosines, pair.cosines.T)]
    marked = {*enumerate(best[0]), *((row, column) for column, row in enumerate(best[1]))}
    cells = ((round(value, 2) + 0.0 for value in row) for row in pair.cosines.tolist())
    return heat_map(f"cosines with {name}", pair.tokens, cells, marked, "tokens; a map of cosines")


def _shares(name: str, shares: tuple[TokenShare, ...]) -> Block:
    rows = [
        Row(cells=(share.token or share.side, share.side, share.match, share.cosine, share.weight, share.share))
        for share in shares
    ]
    return Table(
        name=f"tokens with {name}", header=("token", "text", "most similar", "cosine", "weight", "share of F1"),
        rows=tuple(rows), caption=f"what each token adds; the sum is {sum(share.share for share in shares):.6g}",
        summary=f"{len(rows)} tokens",
    )  # fmt: skip
