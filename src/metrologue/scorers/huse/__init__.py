"""HUSE (Hashimoto et al. 2019): the error of guessing human or model from judgements and probabilities of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.data.columns import Column, Numbers
from metrologue.data.intake import as_text, is_list, listed, with_type
from metrologue.data.labels import encoded
from metrologue.errors import InputError, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.inputs import Columns, Input, Kind, number_rows
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.token_probabilities.reading import parse_lines
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource
from metrologue.text.reading.text import Text

__all__ = ["Huse", "Neighbors", "Points", "huse", "huse_d", "points_of"]

_COLUMNS = ("both_wrong", "judgement_wrong", "log_probability_wrong", "model_count", "text_count")


# Whether a text is by the model.
_AUTHORS = {"model": True, "1": True, "true": True, "human": False, "0": False, "false": False}


_WANTED = '"model" or "human", or 1 or 0, is expected'


# The features of each classification.
FEATURES = ((0, 1), (0,), (1,))


# Distances that are in memory at once.
_MOST_DISTANCES = 1 << 21


def huse(wrong: Floats, count: Floats) -> Floats:
    """Twice the share of texts whose author the classifier gets wrong: 1 if it can do no better than guess.

    Examples
    --------
    53 of 200 texts.

    >>> huse(np.array(53.0), np.array(200.0))
    np.float64(0.53)
    """
    return 2 * wrong / count


def huse_d(both: Floats, quality: Floats) -> Floats:
    """1 + HUSE - HUSE-Q: how much less than the judgements alone both features say about who wrote a text.

    Examples
    --------
    >>> huse_d(np.array(0.53), np.array(0.58)).round(4)
    np.float64(0.95)
    """
    return 1 + both - quality


class Points(NamedTuple):
    """Texts as points."""

    features: Floats  # (n, 2): the judgement, and the logarithm of the probability for each token
    by_model: Flags  # (n,): whether the model wrote the text


def author_column(references: Any, argument: str, owner: str, columns: Columns) -> Column:
    """Who wrote each text, as a column of texts.

    Raises an InputError if a reference is neither a str nor 0 or 1, nor a list of one of these.
    """
    rows = listed(references, "references", owner, of="labels")
    values = rows if isinstance(rows, list) else rows.to_pylist()
    names = []
    for index, row in enumerate(values):
        single = [*row] if is_list(row) and not isinstance(row, str) else [row]
        if len(single) != 1 or not isinstance(single[0], (str, int, float, np.number, np.bool_)):
            raise InputError(f"{owner}: `references[{index}]` is {with_type(row)}; {_WANTED}.")
        label = single[0]
        names.append(label if isinstance(label, str) else f"{label:g}")
    return Text(as_text(names, "references", owner), np.arange(len(names) + 1))


@dataclass(frozen=True, kw_only=True)
class Huse(OfTexts, Scorer, Fitted):
    """Twice the error of telling a model's texts from people's by judgements and probabilities; higher is better.

    Half of the texts were written by people, half by a model. Each has two features: how typical people find it, and
    how probable the model finds it, as the logarithm for each token. Each text is given to the class to which most of
    its nearest neighbours belong, without itself; ties go to people. ``huse`` is twice the share that is wrong: 1 if
    the model's texts cannot be told from people's, 0 if they always can. ``huse_q`` is the same for the judgements
    alone, which see poor texts. ``huse_d``, 1 + HUSE - HUSE-Q, is low if the probabilities tell more: the model says
    less than people do, and finds its own texts more probable. All may be above 1.

    A prediction is a list of three numbers, or a line with them: the judgement, which is the mean of the ratings of a
    text, the natural logarithm of its probability, and its number of tokens. The last one is left out if the logarithm
    is that for each token already. The reference says who wrote the text: "model" or "human", or 1 or 0.

    Each text is compared with all others that are scored. ``fit`` keeps other texts to compare with. If one of these
    equals a text, it is taken for the text itself and left out.

    Raises
    ------
    InputError
        If there are fewer texts than a text needs neighbours, all have the same author, a number is not finite, a
        length is not above 0, or a reference is not one of these words.

    Warns
    -----
    UserWarning
        If one author has more texts than the other.

    References
    ----------
    Hashimoto, Zhang and Liang 2019, https://aclanthology.org/N19-1169; the authors' code,
    https://github.com/hughbzhang/HUSE.

    Examples
    --------
    >>> texts = [[4, -8, 4], [5, -12, 6], [3, -9, 3], [4, -20, 8], [2, -4, 4], [3, -6, 5], [1, -3, 3], [2, -5, 4]]
    >>> Huse(neighbors=2).corpus(texts, ["human"] * 4 + ["model"] * 4).scores["huse_q"]
    0.25
    """

    name: ClassVar[str] = "huse"
    about: ClassVar = About(
        needs="people's ratings and a model's probabilities",
        papers=("hashimoto-etal-2019-unifying",),
        whole_trace=True,
        two_texts=False,
    )
    title: ClassVar[str] = "HUSE"
    inputs: ClassVar[tuple[Input, ...]] = (
        number_rows("predictions", or_texts=True, about="two or three numbers for each text, or lines with these"),
        Input("references", Kind("labels", author_column), about="who wrote each text: model or human"),
    )

    neighbors: int = option(
        15, stage="pairs", choice="neighbours", least=1, about="How many of the nearest texts decide."
    )
    # fmt: off
    radius: str = option(
        "next", stage="pairs", choice="neighbours",
        about="The distance up to which texts are neighbours; texts at exactly this distance are neighbours too.",
        one_of={
            "next": "that of the nearest text after `neighbors` others, so that there is one more (the authors' code)",
            "last": "that of the last of `neighbors` texts",
        },
    )
    points: Resource | None = option(
        None, stage="pairs", choice="texts to compare with", kind="fitted",
        about="The texts to compare with, as ``fit`` keeps them. None: those that are scored.",
    )
    # fmt: on
    aggregation: str = option("corpus", stage="score", choice=None, one_of={"corpus": "twice the share of all texts"})
    scale: float = option(
        1.0, stage="score", choice=None, least=1e-9, about="The value, if texts cannot be told from people's."
    )

    _columns = _COLUMNS

    numbers: ClassVar = (
        number(
            "huse", 0, "2 * scale", better="higher", title="HUSE", unit="points",
            about="twice the share of texts whose author both features get wrong",
        ),
        number(
            "huse_q", 0, "2 * scale", better="higher", title="HUSE-Q", heading="Q", unit="points",
            about="twice the share of texts whose author the judgements get wrong",
        ),
        number(
            "huse_d", "-scale", "_most_d", better="higher", title="HUSE-D", heading="D", unit="points",
            about="1 + HUSE - HUSE-Q",
        ),
        counted("both_wrong", "texts", better="higher", about="texts whose author both features get wrong"),
        counted("judgement_wrong", "texts", better="higher", about="texts whose author the judgements get wrong"),
        counted(
            "log_probability_wrong", "texts", better="higher", about="texts whose author the probabilities get wrong"
        ),
        counted("model_count", "texts", about="texts of the model"),
        counted("text_count", "texts", about="all texts"),
    )  # fmt: skip

    @property
    def _most_d(self) -> float:
        return 3 * self.scale

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        points = points_of(segments, self._label)
        return {"points": {"features": points.features.ravel(), "by_model": points.by_model.astype(np.float64)}}

    def _neighbors(self, segments: Segments) -> Neighbors:
        """How the neighbours of each text vote."""
        assert self.points is not None
        table = self.points.table
        pool = Points(np.asarray(table["features"]).reshape(-1, 2), np.asarray(table["by_model"]) > 0)
        return neighbors_of(points_of(segments, self._label), pool, self.neighbors, self.radius, self._label)

    def _statistics(self, segments: Segments) -> Floats:
        """What is wrong of each text, and ones for the texts of the model and for all."""
        neighbors = self._neighbors(segments)
        return np.column_stack([neighbors.wrong, neighbors.by_model, np.ones(len(segments))]).astype(np.float64)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(_COLUMNS, statistics)
        both, quality = (huse(counts[name], counts["text_count"]) for name in _COLUMNS[:2])
        numbers = {"huse": both, "huse_q": quality, "huse_d": huse_d(both, quality)}
        return {**{name: self.scale * value for name, value in numbers.items()}, **counts}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint if one author has more texts than the other: then a guess is right more than half of the time."""
        by_model = points_of(segments, self._label).by_model
        model, people = int(by_model.sum()), int((~by_model).sum())
        if model == people or (self.points is not None and of_each):
            return []
        return [
            f"Huse: {model} texts are by the model and {people} by people; the score is meant for as many of each, and "
            "is lower otherwise."
        ]

    _variants: ClassVar = {
        "huse": Variant("HUSE", "the authors' code: 16 neighbours, because the 15th is counted from 0"),
        "paper": Variant("Hashimoto", "the 15 nearest neighbours, as the paper has them", {"radius": "last"}),
    }


class Neighbors(NamedTuple):
    """How the neighbours of n texts vote, by both features, by judgements and by probabilities."""

    # (n, 3): How many neighbours the model wrote, and how many people did.
    for_model: Integers
    for_people: Integers
    by_model: Flags  # (n,): whether the model wrote the text itself

    @property
    def wrong(self) -> Flags:
        """Whether the vote is wrong, (n, 3). A tie is a vote for people."""
        wrong: Flags = (self.for_model > self.for_people) != self.by_model[:, None]
        return wrong


def _spread(values: Floats) -> float:
    """The standard deviation; 1 if all are the same. NumPy sums a column and a row in another order."""
    return float(np.ascontiguousarray(values).std()) if len(values) and np.ptp(values) > 0 else 1.0


def _squares(ours: Floats, theirs: Floats) -> Floats:
    apart: Floats = theirs[None] - ours[:, None]
    return apart * apart


def _near(distances: Floats, own: Integers, place: int) -> Flags:
    """Which texts of the pool are neighbours of each text: no farther than the one at this place, without itself."""
    distances = distances.copy()
    inside = np.flatnonzero(own >= 0)
    distances[inside, own[inside]] = np.inf
    limits = np.partition(distances, place, axis=1)[:, place, None]
    return distances <= limits


def _places(texts: Points, pool: Points) -> Integers:
    """The first place of each text in the pool; -1, if it is not there."""
    keys = [np.column_stack([each.features, each.by_model]) for each in (pool, texts)]
    _, first, which = np.unique(np.concatenate(keys), axis=0, return_index=True, return_inverse=True)
    places = first[which.ravel()[len(keys[0]) :]]
    return np.where(places < len(keys[0]), places, -1)


def points_of(segments: Segments, owner: str) -> Points:
    """The points of all texts.

    Raises an InputError if a text has not two or three finite numbers, its length is not above 0, or its author is
    neither.
    """
    return segments.memoize(("points",), lambda: _points(segments, owner))


def _points(segments: Segments, owner: str) -> Points:
    column = segments.predictions
    if isinstance(column, Numbers):
        values, offsets = column.values, column.offsets
    else:
        values, offsets = parse_lines(segments, owner, "numbers separated by whitespace are expected.")
    widths = np.diff(offsets)

    def refuse(wrong: Any, what: str) -> None:
        if np.any(wrong):
            at = int(np.argmax(wrong))
            row = values[offsets[at] : offsets[at + 1]].tolist()
            raise InputError.at(owner, "predictions", segments.first + at, f" is {row}; {what}.")

    expected = "a judgement, a log-probability and a length above 0 are expected"
    refuse((widths < 2) | (widths > 3), expected)
    refuse(widths != widths[:1], "all texts need as many numbers as the first one")
    table = values.reshape(len(widths), -1) if len(widths) else np.zeros((0, 2))
    refuse(~np.isfinite(table).all(axis=1), f"{expected}, and all must be finite (the authors take -1000 for -inf)")
    if table.shape[1] == 3:
        refuse(table[:, 2] <= 0, expected)
        table = np.column_stack([table[:, 0], table[:, 1] / table[:, 2]])
    return Points(table, _authors(segments, owner))


def _authors(segments: Segments, owner: str) -> Flags:
    """Whether each text is by the model, (n,)."""
    several = np.diff(segments.reference_offsets) != 1
    if several.any():
        at = int(np.argmax(several))
        raise InputError.at(owner, "references", segments.first + at, f" has several items; {_WANTED}.")
    codes, labels = encoded(segments.texts("references"))
    known = [_AUTHORS.get(str(label).lower()) for label in labels]
    if None in known:
        unknown = known.index(None)
        at = int(np.argmax(codes == unknown))
        raise InputError.at(owner, "references", segments.first + at, f" is {shown(labels[unknown])}; {_WANTED}.")
    return np.array(known, np.bool_)[codes]


def neighbors_of(texts: Points, pool: Points, neighbors: int, radius: str, owner: str) -> Neighbors:
    """The votes of the neighbours of each text among those of a pool, without the text itself.

    Each feature is divided by its standard deviation in the pool; one that is the same for all texts tells nothing. The
    sums are those of the authors' code, one after another, because a distance decides which texts are as far. Raises an
    InputError if a text has too few others, or all texts of the pool have one author.
    """
    place = neighbors - (radius == "last")
    own = _places(texts, pool)
    others = len(pool.by_model) - (own >= 0)
    if len(others) and others.min() <= place:
        raise InputError(
            f"{owner}: there are {others.min()} other texts; `neighbors` is {neighbors}, which needs {place + 1}."
        )
    if len(others) and pool.by_model.all() | ~pool.by_model.any():
        raise InputError(f"{owner}: all texts are by {'the model' if pool.by_model[0] else 'people'}; give both.")
    spread = np.array([_spread(pool.features[:, feature]) for feature in range(2)])
    ours, theirs = texts.features / spread, pool.features / spread
    votes = np.zeros((2, len(own), len(FEATURES)), np.int64)
    step = max(1, _MOST_DISTANCES // max(1, len(theirs)))
    for start in range(0, len(own), step):
        rows = slice(start, start + step)
        squares = [_squares(ours[rows, feature], theirs[:, feature]) for feature in range(2)]
        for at, features in enumerate(FEATURES):
            distances = squares[features[0]] if len(features) == 1 else squares[0] + squares[1]
            near = _near(distances, own[rows], place)
            votes[0, rows, at] = (near & pool.by_model).sum(axis=1)
            votes[1, rows, at] = (near & ~pool.by_model).sum(axis=1)
    return Neighbors(votes[0], votes[1], texts.by_model)
