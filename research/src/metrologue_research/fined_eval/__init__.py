"""FineD-Eval: how coherent, likable and deep a dialogue is, as a network of three heads sees it (Zhang et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import OfModel, model_option
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.families.dialogues import OfDialogues
from metrologue.segments import Segments
from metrologue_research.fined_eval.network import DialogueHeads, neighbour_cosines, turn_rows

__all__ = ["FinedEval"]


@dataclass(frozen=True, kw_only=True)
class FinedEval(OfDialogues, OfModel):
    """How coherent, likable and deep a whole dialogue is, as a trained network sees it; higher is better, 0-1.

    An encoder gives each turn and the turn before it their vectors, as RUSE takes them, and a layer reads these. The
    mean over the turns goes to three heads: ``coherence``, ``likability`` and ``topic_depth``. Their mean is
    ``fined_eval``. The score of a corpus, such as all dialogues of a system, is the mean of its segments.

    ``metrologue train fined_eval`` trains the heads on pairs of dialogues, of which the better one is to be above the
    other one by a margin. No ratings are needed: a worse dialogue has its turns in another order (``coherence``), has
    turns that contradict each other or has few glad ones (``likability``), or says the same again (``topic_depth``).
    Models of inference and of emotions say which dialogue is which. The heads share a layer ("multitask"), or each has
    its own ("ensemble"). The authors train RoBERTa whole, and read the mean over all tokens, with the padding.

    ``neighbours`` is the mean cosine of neighbouring turns. It needs no training, and is the rival of ``coherence``.

    A prediction is a dialogue, or a response with the turns before it in `contexts`. A dialogue of one turn has a
    score, of this turn after nothing, and a warning counts such dialogues; its ``neighbours`` is 0. A dialogue without
    content scores 0.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric.

    References
    ----------
    Zhang et al. 2022, https://aclanthology.org/2022.emnlp-main.220; the program at
    https://github.com/e0397123/FineD-Eval.

    Examples
    --------
    A model that was trained on made-up dialogues, to try it:

    >>> from metrologue.learned import sample_model
    >>> fined = FinedEval(model=sample_model("fined_eval"))
    >>> dialogue = ["Do you like cats?", "Yes, I have two cats.", "What are their names?", "Tom and Kitty."]
    >>> other = [dialogue[place] for place in (3, 1, 0, 2)]
    >>> one, two = fined.segments([dialogue, other], key="coherence")
    >>> bool(0 < two < one < 1)
    True
    """

    name: ClassVar[str] = "fined_eval"
    about: ClassVar = replace(
        OfModel.about,
        two_texts=False,
        research="FED's Coherent: rho .308; the cosine of neighbours has .325. Depth points the wrong way: −.329; the "
        "cosine has .220.",
        papers=("zhang-etal-2022-fined",),
    )
    _authors: ClassVar[str] = "The authors' models are at https://github.com/e0397123/FineD-Eval."
    _of_turns: ClassVar[tuple[str, ...]] = ("fined_eval", "coherence", "likability", "topic_depth")

    model: NamedTrained | None = model_option()
    last_turns: int | None = option(
        None,
        stage="read",
        choice="length",
        least=1,
        about="How many of the last turns of a dialogue are read; all of them if it is left out.",
    )
    aggregation: str = option(
        "corpus", stage="score", choice=None, one_of={"corpus": "the mean of the segments' own scores"}
    )
    scale: float = with_default(1.0, about="The value of a perfect score.")

    numbers: ClassVar = (
        number("fined_eval", 0, "scale", better="higher", title="FineD-Eval", about="the mean of the three heads"),
        number("coherence", 0, 1, better="higher", about="how well the turns follow each other"),
        number("likability", 0, 1, better="higher", about="how likable the dialogue is"),
        number("topic_depth", 0, 1, better="higher", about="how deep the dialogue goes into its topics"),
        number("neighbours", -1, 1, better="higher", about="mean cosine of neighbouring turns, which is not learned"),
        counted("segments", "dialogues", about="dialogues, of whose scores this is the mean"),
    )  # fmt: skip

    _columns = ("coherence_sum", "likability_sum", "topic_depth_sum", "neighbours_sum", "segments")

    def _statistics(self, segments: Segments) -> Floats:
        model = self._trained
        network = model.network_as(DialogueHeads)
        read = [turns[-self.last_turns :] if self.last_turns else turns for turns in self._conversations(segments)]
        rows = np.ones((len(read), len(self._columns)))
        rows[:, :3] = network(*turn_rows(model.features, read))
        rows[:, 3] = neighbour_cosines(model.features, read)
        empty = [not any(turn.strip() for turn in turns) for turns in read]
        rows[np.array(empty, bool), :4] = 0.0
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        means, segments = self._means(statistics), statistics[..., -1]
        heads, neighbours = np.clip(means[..., :3], 0.0, 1.0), np.clip(means[..., 3], -1.0, 1.0)
        own = {name: heads[..., place] for place, name in enumerate(("coherence", "likability", "topic_depth"))}
        overall = self.scale * heads.mean(axis=-1)
        return {"fined_eval": overall, **own, "neighbours": neighbours, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        return [*self._model_hints(), *super()._hints(segments, of_each)]
