"""The trace of YiSi: how similar the words of both texts are, with their weights, what matches, and the frames."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.representations.frames import ROLES
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.yisi import Yisi
from metrologue.scorers.yisi.texts import Roles, assigned_roles
from metrologue.segments import Segments
from metrologue.tracing import Block, Row, Section, Table, Trace, heat_map, reference_names, short


class Match(NamedTuple):
    """An n-gram with the most similar one of the other text, the sum of its words' weights, and their first words."""

    text: str
    other: str
    weight: float
    similarity: float
    place: int
    its: int


def build(scorer: Yisi, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    fitted = scorer if scorer._is_fitted else scorer.fit(segment)
    result = fitted.corpus(segment)
    scores = result.scores
    names = reference_names(len(segment.pair(0)[1]))
    p, r, a = short(scores["precision"]), short(scores["recall"]), fitted.alpha
    remarks = [] if len(names) == 1 else [f"{len(names)} references: the greatest P and R, each on its own"]
    if fitted.beta:
        remarks.append(
            f"P and R are {fitted.beta} of those of the frames and {1 - fitted.beta:g} of those of the words"
        )
    if scorer is not fitted and fitted.weights != "uniform":
        remarks.append("the weights come from this segment alone; fit(segments) makes them from more texts")
    formula = f"{scorer.title} = {p}·{r}/({a:g}·{p} + {1 - a:g}·{r}) = {result.value}"
    sections = (_section(fitted, segment, name, at) for at, name in enumerate(names))
    return trace_of(scorer, result, formula, sections, (*remarks, *scorer._hints(segment)))


def _section(scorer: Yisi, segment: Segments, name: str, pair: int) -> Section:
    """The hypothesis and one reference."""
    texts = scorer._texts(segment)
    weights = scorer._weights(segment, texts)
    own, its = (texts.ids[texts.offsets[side[pair]] : texts.offsets[side[pair] + 1]] for side in texts.pairs)
    places = [texts.places[texts.offsets[side[pair]] : texts.offsets[side[pair] + 1]] for side in texts.pairs]
    columns = int(np.diff(texts.ends)[texts.pairs[1][pair]])
    block = next(texts.blocks(np.array([pair]))).similarities.reshape(-1, max(columns, 1))[np.ix_(*places)]
    words = scorer._spelled(segment, texts, pair)
    order = min(scorer.order, len(own), len(its))
    forth = _matches(block, weights[0][own], *words, order)
    back = _matches(block.T, weights[1][its], words[1], words[0], order)
    precision, recall = scorer._pairs(segment)[pair]
    blocks: list[Block] = [
        _heat_map(name, block, words, (weights[0][own], weights[1][its]), forth, back, order),
        _table(f"n-grams of the hypothesis with {name}", forth, precision),
        _table(f"n-grams of {name} with the hypothesis", back, recall),
    ]
    if scorer.beta:
        blocks.append(_frames(scorer, segment, name, pair, words))
    values = {"precision": float(precision), "recall": float(recall)}
    return Section(name=name, title=f"{name}: P {precision:.6g}, R {recall:.6g}", blocks=tuple(blocks), values=values)


def _matches(block: Floats, weights: Floats, own: list[str], its: list[str], order: int) -> list[Match]:
    """Each n-gram of a text with the most similar one; ties: the first."""
    found = []
    for i in range(len(own) - order + 1 if order else 0):
        part = weights[i : i + order]
        sums = [float(part @ np.diag(block[i : i + order, j : j + order])) for j in range(len(its) - order + 1)]
        best, weight = int(np.argmax(sums)), float(part.sum())
        similarity = sums[best] / weight if weight else 0.0
        text, other = " ".join(own[i : i + order]), " ".join(its[best : best + order])
        found.append(Match(text, other, weight, similarity, i, best))
    return found


def _heat_map(
    name: str,
    block: Floats,
    words: tuple[list[str], list[str]],
    weights: tuple[Floats, Floats],
    forth: list[Match],
    back: list[Match],
    order: int,
) -> Block:
    """The similarities; those of n-grams that match are marked."""
    marked = {(match.place + k, match.its + k) for match in forth for k in range(order)}
    marked |= {(match.its + k, match.place + k) for match in back for k in range(order)}
    rows, columns = (
        tuple(f"{word} ({weight:.2f})" for word, weight in zip(side, own, strict=True))
        for side, own in zip(words, weights, strict=True)
    )
    cells = ((round(value, 2) for value in row) for row in block.tolist())
    name = f"similarities with {name}, and weights"
    return heat_map(name, (rows, columns), cells, marked, "words; a map of similarities")


def _table(name: str, matches: list[Match], value: float) -> Block:
    total = sum(match.weight for match in matches)
    rows = [
        Row(cells=(match.text, match.other, match.similarity, match.weight, match.weight * match.similarity / total))
        for match in matches
        if total
    ]
    return Table(
        name=name, header=("n-gram", "most similar", "similarity", "weight", "share"), rows=tuple(rows),
        caption=f"what each n-gram adds; the sum is {value:.6g}", summary=f"{len(rows)} n-grams",
    )  # fmt: skip


def _frames(scorer: Yisi, segment: Segments, name: str, pair: int, words: tuple[list[str], list[str]]) -> Block:
    """The predicates and arguments that are assigned to each other, for precision and for recall."""
    texts = scorer._texts(segment)
    roles = scorer._roles(segment, texts)
    own = roles[int(texts.pairs[0][pair])]
    its, tables = [*scorer._similar_roles(segment, texts, roles)][pair]
    rows = []
    for number, table in zip(("precision", "recall"), tables, strict=True):
        for i, j in zip(*assigned_roles(table, its, own), strict=True):
            cells = _spelled(own, j, words[0]), ROLES[own.classes[j]], _spelled(its, i, words[1]), ROLES[its.classes[i]]
            rows.append(Row(cells=(number, *cells, float(table[i, j]))))
    return Table(
        name=f"frames with {name}", header=("number", "hypothesis", "role", "reference", "role of it", "similarity"),
        rows=tuple(rows), caption="predicates and arguments that are assigned to each other",
        summary=f"{len(rows)} roles",
    )  # fmt: skip


def _spelled(roles: Roles, role: int, words: list[str]) -> str:
    start, length = roles.spans[role].tolist()
    return " ".join(words[start : start + length])
