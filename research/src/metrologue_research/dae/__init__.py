"""DAE: how probably each dependency arc of a text follows from its source (Goyal and Durrett 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import OfModel, model_option
from metrologue.representations.parses.columns import Indices, Parses
from metrologue.representations.parses.named import NamedParser, word_parser
from metrologue.scorers.core.crossed import Distinct, parsed_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue_research.dae.arcs import LEFT_OUT, Arcs, arcs_of, overlaps
from metrologue_research.dae.network import probabilities

__all__ = ["Dae", "pooled"]


def pooled(probabilities: Floats, offsets: Indices, pooling: str = "mean", empty: float = 0.0) -> Floats:
    """One number for the arcs of each text.

    Parameters
    ----------
    probabilities : float64 (arcs,)
    offsets : int64 (n + 1,)
        The arcs of text i are ``offsets[i]:offsets[i + 1]``.
    pooling : str
        "mean", or "min".
    empty : float
        The number of a text without arcs.

    Returns
    -------
    float64 (n,)

    Examples
    --------
    >>> arcs, offsets = np.array([0.9, 0.8, 0.1]), np.array([0, 3])
    >>> pooled(arcs, offsets).round(6), pooled(arcs, offsets, "min")
    (array([0.6]), array([0.1]))
    """
    counts = np.diff(offsets)
    found = np.full(len(counts), empty)
    some = counts > 0
    if some.any():
        reduce = np.add if pooling == "mean" else np.minimum
        values = reduce.reduceat(probabilities, offsets[:-1][some])
        found[some] = values / counts[some] if pooling == "mean" else values
    return found


class Compared(NamedTuple):
    """The arcs of predictions beside their sources.

    Attributes
    ----------
    texts : Distinct
    parses : Parses
    arcs : Arcs
        Of each of the texts.
    own, its : int64 (pairs,)
        The texts of each pair: the prediction, and the source.
    offsets : int64 (pairs + 1,)
        The arcs of pair i are ``offsets[i]:offsets[i + 1]``.
    found : float64 (arcs of all pairs,)
        1 if the source's parse has the arc, otherwise 0.
    probabilities : float64 (arcs of all pairs,)
    """

    texts: Distinct
    parses: Parses
    arcs: Arcs
    own: Indices
    its: Indices
    offsets: Indices
    found: Floats
    probabilities: Floats


@dataclass(frozen=True, kw_only=True)
class Dae(OfModel, PairScorer):
    """The mean probability that a text's dependency arcs follow from its source; higher is better, 0-1.

    Give the sources as references; of several, such as the sentences of a document, the best one counts. A parser
    finds the arcs of the text: pairs of a word and the word on which it depends. Arcs of grammar alone, such as that of
    a determiner, are left out. A trained classifier reads the vectors that an encoder gives to both words, those of
    the words of the source that are most like them, and whether the source's parse has the arc, and gives the
    probability that the source says the same.

    ``metrologue train dae`` trains it, on errors that ``metrologue_research.dae.examples`` makes. This is a
    reimplementation of the paper's idea: the authors fine-tune an encoder that reads both texts at once. It is worth
    what its card says.

    The number `arc_overlap` needs no model: the share of the arcs that the source's parse has too. It stands beside
    every score as the rival; the variant ``overlap`` has it as its score.

    Raises
    ------
    InputError
        If there is no `model`, or it was trained for another metric; if the parser has no parse of a text, or gives no
        relations.

    References
    ----------
    Goyal and Durrett 2020, https://aclanthology.org/2020.findings-emnlp.322; the program at
    https://github.com/tagoyal/dae-factuality.

    Examples
    --------
    Without a parser, pairs of neighbouring words are the arcs:

    >>> dae = Dae.variant("overlap")
    >>> dae.corpus(["cats chase dogs"], ["small cats chase dogs"]).value
    1.0
    >>> dae.corpus(["dogs chase small cats"], ["small cats chase dogs"]).scores
    {'dae': 0.6666666666666666, 'arc_overlap': 0.6666666666666666, 'arc_count': 3, 'with_arcs': 1}

    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> dae = Dae(model=sample_model("dae"))
    >>> good, bad = dae.segments(["A cat slept on the sofa.", "A dog sold the car."], ["The cat slept on a sofa."] * 2)
    >>> bool(0 < bad < good < 1)
    True

    With a pipeline of spaCy: ``Dae(model="my-dae", parser="en_core_web_sm")``.
    """

    name: ClassVar[str] = "dae"
    about: ClassVar = replace(
        OfModel.about,
        needs="a parser and a training; dae:overlap: a parser",
        research="Pairs of Falke et al., right: .692; arc overlap has .670, BERTScore .727.",
        optional_model=True,
        papers=("goyal-durrett-2020-dae",),
    )
    title: ClassVar[str] = "DAE"
    _authors: ClassVar[str] = (
        "The authors' models are files of PyTorch that cannot be had here (https://github.com/tagoyal/dae-factuality)."
    )

    parser: NamedParser | None = option(
        None,
        stage="read",
        choice="parser",
        kind="parser",
        about=(
            "What parses texts: the name of a pipeline of spaCy, its folder, a file in CoNLL-U, or a parser of "
            "``metrologue.representations.parses``. It gives heads and relations, and perhaps lemmas. None: no parser, "
            "and pairs of neighbouring words are the arcs (``WordParser``)."
        ),
    )
    left_out: tuple[str, ...] = option(
        LEFT_OUT,
        stage="read",
        choice="arcs",
        about="The relations whose arcs do not count, as in the authors' program. `aux` also stands for `aux:pass`.",
    )
    max_arcs: int = option(
        20, stage="read", choice="arcs", least=1, about="So many arcs of a text count, the first ones."
    )
    entailment: str = option(
        "model",
        stage="pairs",
        choice="model",
        about="Where the probability of an arc comes from.",
        one_of={
            "model": "the trained model",
            "overlap": "it is 1 if the source's parse has an arc of the same two lemmas, otherwise 0",
        },
    )
    model: NamedTrained | None = model_option(stage="pairs", more="It plays no part in `overlap`.")
    pooling: str = option(
        "mean",
        stage="pairs",
        choice="pooling",
        about="What the score of a text is made of.",
        one_of={"mean": "the mean over its arcs", "min": "the least probability of an arc"},
    )
    empty: str = option(
        "skip",
        stage="pairs",
        choice="empty",
        about="A text without arcs, for which the authors' program gives no number.",
        one_of={
            "skip": "it has no part in the mean of a corpus; its own score is 0",
            "one": "it scores 1: it says nothing that could be wrong",
            "error": "it is refused",
        },
    )
    multi_reference: str = option(
        "best",
        stage="join",
        choice="several references",
        about="Which of several sources counts.",
        one_of={"best": "the one with the best score; ties: the first", "mean": "the mean of the scores with each"},
    )
    aggregation: str = option(
        "corpus", stage="score", choice=None, one_of={"corpus": "the mean of the segments' own scores"}
    )
    scale: float = with_default(1.0, about="The value of a probability of 1.")

    numbers: ClassVar = (
        number(
            "dae", 0, "scale", better="higher", title="DAE",
            about="mean probability that the arcs follow from the source, over the segments",
        ),
        number("arc_overlap", 0, 1, better="higher", about="share of the arcs that the source's parse has, the rival"),
        counted("arc_count", "arcs", about="arcs of all segments"),
        counted("with_arcs", "segments", about="segments with arcs, of whose scores this is the mean"),
    )  # fmt: skip

    _columns = ("dae_sum", "overlap_sum", "arc_count", "with_arcs")

    @property
    def _reads_model(self) -> bool:
        return self.entailment == "model"

    @property
    def _own_parser(self) -> NamedParser:
        return self.parser or word_parser()

    def _arcs(self, segments: Segments) -> Compared:
        """The arcs of the predictions, what each source's parse has of them, and their probabilities."""
        texts, parses = parsed_texts(self._label, segments, self._own_parser, ("relations",))
        arcs = arcs_of(parses, self.left_out, self.max_arcs)
        own, its = texts.pairs(segments)
        offsets = np.concatenate([[0], np.cumsum(arcs.counts[own])])
        found = np.concatenate([np.zeros(0), *overlaps(parses, arcs, own, its)]).astype(np.float64)
        compared = Compared(texts, parses, arcs, own, its, offsets, found, found)
        return compared if self.entailment == "overlap" else compared._replace(probabilities=self._read(compared))

    def _read(self, compared: Compared) -> Floats:
        model = self._trained
        texts, parses, arcs, own, its, _, found, _ = compared
        return probabilities(model, texts.texts, parses, arcs, own, its, found)

    def _pair_statistics(self, segments: Segments) -> Floats:
        compared = self._arcs(segments)
        counts = np.diff(compared.offsets)
        if self.empty == "error" and not counts.all():
            index = int(np.flatnonzero(compared.arcs.counts[compared.texts.hypotheses] == 0)[0])
            raise InputError.at(self._label, "predictions", index, " has no arc that counts.")
        share = 1.0 if self.empty == "one" else 0.0
        scores = pooled(compared.probabilities, compared.offsets, self.pooling, share)
        shares = pooled(compared.found, compared.offsets, "mean", share)
        counting = np.ones(len(counts)) if self.empty == "one" else (counts > 0).astype(np.float64)
        return np.column_stack([scores, shares, counts, counting])

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 0]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        sums, shares, counts, segments = np.moveaxis(statistics, -1, 0)
        return {
            "dae": self.scale * ratio(sums, segments),
            "arc_overlap": ratio(shares, segments),
            "arc_count": counts,
            "with_arcs": segments,
        }

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        return [*self._warned(segments)]

    def _warned(self, segments: Segments) -> Iterator[str]:
        yield from self._model_hints()
        yield from self._other_parser()
        if self.empty != "skip" or not np.diff(segments.reference_offsets).all():  # of pairwise, texts of both sides
            return
        rows = self._rows(segments, None)
        if without := int((rows[:, 3] == 0).sum()):
            told = f"{without} of {len(rows)} texts have" if len(rows) > 1 else "the text has"
            yield f"{self._label}: {told} no arc that counts, and no part in the mean."

    def _other_parser(self) -> Iterator[str]:
        """A warning, if the model learned from the arcs of another parser."""
        if self.model is None or not self._reads_model:
            return
        learned = self.model.trained.report.get("data", {}).get("parser")
        if learned not in (None, str(self._own_parser)):
            yield f"{self._label}: {self.model} learned the arcs of {learned}, and reads those of {self._own_parser}."

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "the arcs of `parser`, with the probabilities of the model that is given"),
        "overlap": Variant(
            "metrologue",
            "the share of the arcs that the source's parse has: it needs no model",
            {"entailment": "overlap"},
        ),
    }
