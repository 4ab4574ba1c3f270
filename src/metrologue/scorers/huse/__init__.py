"""HUSE (Hashimoto et al. 2019): how often judgements and probabilities of texts do not tell who wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.inputs import Input, Kind, number_rows
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.huse.neighbors import Neighbors, neighbors_of
from metrologue.scorers.huse.reading import Points, author_column, points_of
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

__all__ = ["Huse", "huse", "huse_d"]

_COLUMNS = ("both_wrong", "judgement_wrong", "log_probability_wrong", "model_count", "text_count")


def huse(wrong: Floats, count: Floats) -> Floats:
    """Twice the share of texts whose author the classifier gets wrong: 1 if it can do no better than guess.

    Examples
    --------
    53 of 200 texts.

    >>> huse(np.array(53.0), np.array(200.0))
    np.float64(0.53)
    """
    found: Floats = 2 * wrong / count
    return found


def huse_d(both: Floats, quality: Floats) -> Floats:
    """1 + HUSE - HUSE-Q: how much less than the judgements alone both features say about who wrote a text.

    Examples
    --------
    >>> huse_d(np.array(0.53), np.array(0.58)).round(4)
    np.float64(0.95)
    """
    found: Floats = 1 + both - quality
    return found


@dataclass(frozen=True, kw_only=True)
class Huse(Scorer):
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

    The texts are compared with all others that are scored. ``fit`` keeps other ones to compare with; of these, one that
    equals a text is left out for it.

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
    title: ClassVar[str] = "HUSE"
    _papers: ClassVar[tuple[str, ...]] = ("hashimoto-etal-2019-unifying",)
    inputs: ClassVar[tuple[Input, ...]] = (
        number_rows("predictions", or_texts=True, about="two or three numbers for each text, or lines with these"),
        Input("references", Kind("labels", author_column), about="who wrote each text: model or human"),
    )
    _traces_all: ClassVar[bool] = True
    _compares_texts: ClassVar[bool] = False

    neighbors: int = option(
        15, stage="pairs", choice="neighbours", least=1, about="How many of the nearest texts decide."
    )
    # fmt: off
    radius: str = option(
        "next", stage="pairs", choice="neighbours",
        about="The distance up to which texts are neighbours. All that are as far are neighbours too.",
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
            "huse", 0, "_twice", better="higher", title="HUSE", unit="points",
            about="twice the share of texts whose author both features get wrong",
        ),
        number(
            "huse_q", 0, "_twice", better="higher", title="HUSE-Q", heading="Q", unit="points",
            about="twice the share of texts whose author the judgements get wrong",
        ),
        number(
            "huse_d", "_least_d", "_most_d", better="higher", title="HUSE-D", heading="D", unit="points",
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
    def _twice(self) -> float:
        return 2 * self.scale

    @property
    def _least_d(self) -> float:
        return -self.scale

    @property
    def _most_d(self) -> float:
        return 3 * self.scale

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        found = points_of(segments, self._label)
        return {"points": {"features": found.features.ravel(), "by_model": found.by_model.astype(np.float64)}}

    def _neighbors(self, segments: Segments) -> Neighbors:
        """How the neighbours of each text vote."""
        assert self.points is not None
        table = self.points.table
        pool = Points(np.asarray(table["features"]).reshape(-1, 2), np.asarray(table["by_model"]) > 0)
        return neighbors_of(points_of(segments, self._label), pool, self.neighbors, self.radius, self._label)

    def _statistics(self, segments: Segments) -> Floats:
        """What is wrong of each text, and ones for the texts of the model and for all."""
        found = self._neighbors(segments)
        return np.column_stack([found.wrong, found.by_model, np.ones(len(segments))]).astype(np.float64)

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
