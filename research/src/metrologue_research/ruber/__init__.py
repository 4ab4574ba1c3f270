"""RUBER: a response by its likeness to a reference, and by how well it answers what was said (Tao et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import OfModel, model_option
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.scorers.core.inputs import REFERENCES, Input, groups, turns
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.dialogues import OfDialogues
from metrologue.segments import Segments

__all__ = ["BLENDS", "Ruber", "pooled"]

# The four ways to join both numbers.
BLENDS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "arithmetic": lambda one, other: (one + other) / 2,
    "geometric": lambda one, other: np.sqrt(one * other),
    "min": np.minimum,
    "max": np.maximum,
}


def pooled(vectors: Floats) -> Floats:
    """The greatest and the least value of each dimension over the tokens of a text, (2 * width,); zeros without tokens.

    Examples
    --------
    >>> pooled(np.array([[1.0, -2.0], [0.5, 3.0]]))
    array([ 1. ,  3. ,  0.5, -2. ])
    """
    if not len(vectors):
        return np.zeros(2 * vectors.shape[1])
    return np.concatenate([vectors.max(axis=0), vectors.min(axis=0)])


@dataclass(frozen=True, kw_only=True)
class Ruber(OfDialogues, OfModel, PairScorer):
    """How well a response fits a reference, and the turn before it; higher is better, 0-1.

    Two numbers are joined. ``referenced`` compares the response with a reference: the vectors of the tokens of each
    text are pooled to the greatest and the least value of each dimension, and their cosine c counts as (1 + c)/2.
    ``unreferenced`` is the probability that the response belongs to the turn before it, by a classifier that was
    trained to tell responses from those of other dialogues; it needs no reference. Of several references, the one with
    the best score counts. The score of a corpus is the mean of its segments.

    ``metrologue train ruber`` trains the classifier on dialogues without ratings. It reads the vectors of both turns,
    as RUSE does, where the paper has a network of its own with a margin loss. The paper moves both numbers to 0-1 by
    their least and greatest values on the data, so that a score depends on what else is scored; here it does not.

    A prediction is a response; of a dialogue, the last turn is the response. `contexts` has the turns before it; the
    last of them is read. A response without one has a score, of an empty turn, and a warning counts such responses.

    Raises
    ------
    InputError
        If there is no `model`, it was trained for another metric, or references are missing.

    References
    ----------
    Tao et al. 2018, https://doi.org/10.1609/aaai.v32i1.11321. The authors' models were not published.

    Examples
    --------
    A model that was trained on made-up dialogues, to try it:

    >>> from metrologue.learned import sample_model
    >>> ruber = Ruber(model=sample_model("ruber"))
    >>> said, reference = ["Do you like cats?"] * 2, ["Yes, cats are great."] * 2
    >>> good, bad = ruber.segments(["Yes, I like cats.", "It costs ten euros."], reference, contexts=said)
    >>> bool(0 < bad < good < 1)
    True
    """

    name: ClassVar[str] = "ruber"
    about: ClassVar = replace(
        OfModel.about,
        two_texts=False,
        needs="an encoder and a training",
        research="Not measured: there are no public ratings of its kind here.",
        papers=("tao-etal-2018-ruber",),
    )
    inputs: ClassVar[tuple[Input, ...]] = (
        groups("predictions"),
        REFERENCES,
        turns("contexts", required=False, about="the turns before each response"),
    )
    _of_turns: ClassVar[tuple[str, ...]] = ("unreferenced",)

    model: NamedTrained | None = model_option(what="classifier")
    encoder: NamedEncoder | None = option(
        None,
        stage="read",
        choice="encoder",
        kind="encoder",
        about="What gives the tokens their vectors, which are pooled; by default the first encoder of the model.",
    )
    blend: str = option(
        "arithmetic",
        stage="pairs",
        choice="blend",
        about="How both numbers are joined.",
        one_of={
            "arithmetic": "by their mean",
            "geometric": "by their geometric mean",
            "min": "the lesser one counts",
            "max": "the greater one counts",
        },
    )
    aggregation: str = option(
        "corpus", stage="score", choice=None, one_of={"corpus": "the mean of the segments' own scores"}
    )
    scale: float = with_default(1.0, about="The value of a perfect score.")

    numbers: ClassVar = (
        number("ruber", 0, "scale", better="higher", title="RUBER", about="both numbers, joined as `blend` says"),
        number(
            "referenced", 0, 1, better="higher",
            about="cosine of the pooled vectors of the response and the reference, moved to 0-1",
        ),
        number(
            "unreferenced", 0, 1, better="higher",
            about="probability that the response belongs to the turn before it",
        ),
        counted("segments", "responses", about="responses, of whose scores this is the mean"),
    )  # fmt: skip

    _columns = ("ruber_sum", "referenced_sum", "unreferenced_sum", "segments")

    def _pair_statistics(self, segments: Segments) -> Floats:
        model = self._trained
        conversations = self._conversations(segments)
        responses = [turns[-1] for turns in conversations]
        befores = [turns[-2] if len(turns) > 1 else "" for turns in conversations]
        counts = np.diff(segments.reference_offsets)
        unreferenced = np.zeros(len(responses))
        if responses:
            rows = model.features.of_segments(Segments(responses, befores))
            unreferenced = model.layers(rows)[:, -1]
        references = segments.texts("references").to_pylist()
        referenced = self._referenced(np.repeat(np.array(responses, object), counts).tolist(), references, model)
        unreferenced = np.repeat(unreferenced, counts)
        blended = BLENDS[self.blend](referenced, unreferenced)
        return np.column_stack([blended, referenced, unreferenced, np.ones(len(referenced))])

    def _referenced(self, responses: list[str], references: list[str], model: Any) -> Floats:
        """The cosine of the pooled vectors of each two texts, moved to 0-1; 0 if one of them has no tokens."""
        chosen = self.encoder or next(iter(model.features.encoders), None)
        if chosen is None:
            raise InputError("Ruber: `encoder` is missing, and the model reads no vectors.")
        reader: Any = chosen.encoder
        if not hasattr(reader, "encode_tokens"):
            raise InputError(f"Ruber: `encoder` is {chosen}, which gives tokens no vectors.")
        if not responses:
            return np.zeros(0)
        distinct = [*dict.fromkeys([*responses, *references])]
        found = vector_store().tokens(reader, distinct, (reader.layers,))
        vectors = found.vectors[0].astype(np.float64)
        limits = zip(found.offsets[:-1], found.offsets[1:], strict=True)
        place = {text: row for row, text in enumerate(distinct)}
        pools = np.array([pooled(vectors[first:last][found.counted[first:last]]) for first, last in limits])
        u, v = (pools[[place[text] for text in texts]] for texts in (responses, references))
        lengths = np.sqrt((u * u).sum(axis=1) * (v * v).sum(axis=1))
        cosines = np.clip(ratio((u * v).sum(axis=1), lengths), -1.0, 1.0)
        return np.where(lengths > 0, (1.0 + cosines) / 2, 0.0)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        ruber, referenced, unreferenced = np.moveaxis(np.clip(self._means(statistics), 0.0, 1.0), -1, 0)
        return {
            "ruber": self.scale * ruber,
            "referenced": referenced,
            "unreferenced": unreferenced,
            "segments": statistics[..., 3],
        }

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 0]

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        return [*self._model_hints(), *super()._hints(segments, of_each)]

    _variants: ClassVar = {"metrologue": Variant("metrologue", "the score with the classifier that is given")}
