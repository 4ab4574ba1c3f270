"""BARTScore: how probable a sequence-to-sequence model finds a text after another one (Yuan et al. 2021)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.errors import InputError
from metrologue.representations.sequences import NamedSequence, pair_likelihoods
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import distinct_of
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_long_texts, of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["BartScore", "bartscore"]


def bartscore(forth: Floats, back: Floats) -> Floats:
    """The mean of the log-probabilities of one text after the other, and the other way round: the F score.

    Parameters
    ----------
    forth, back : float64 (...)
        The mean log-probability of the tokens of the text after the reference, and of the reference after the text.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> bartscore(np.array(-2.0), np.array(-4.0))
    np.float64(-3.0)
    """
    return (forth + back) / 2


@dataclass(frozen=True, kw_only=True)
class BartScore(PairScorer):
    """The mean log-probability of a text's tokens, as a model that reads another text first expects them; at most 0.

    The model is BART, or any other sequence-to-sequence model of transformers. `direction` says which text it reads and
    which one it expects: the text after its source (faithfulness; the references are the sources), the text after the
    reference (precision), the reference after the text (recall), or both of these, whose mean is the F score. The
    tokens include the marks at the start and at the end, as in the authors' program. Higher is better; the scores of
    two models are not comparable.

    Of several references, the scores with each are averaged, or the best one counts. The score of a corpus is the mean
    of its segments. The last bits depend on the texts that are read together, so scores of the same texts agree to
    1e-5.

    Raises
    ------
    InputError
        If there is no `model`, it gives NaN, or a text is longer than its context and `too_long` is "error".

    References
    ----------
    Yuan et al. 2021, https://arxiv.org/abs/2106.11520; the authors' program https://github.com/neulab/BARTScore.

    Examples
    --------
    A model that expects the words that were said:

    >>> from metrologue.representations import FunctionSequence
    >>> def said(source, target):
    ...     return [-1.0 if word in source.split() else -5.0 for word in target.split()]
    >>> score = BartScore(model=FunctionSequence("said", said, "1"), direction="f")
    >>> score.corpus(["a cat sat"], ["a cat"]).scores
    {'bartscore': -1.6666666666666667, 'precision': -2.3333333333333335, 'recall': -1.0, 'segments': 1}

    The authors' model, from the Hub or a folder:

    >>> BartScore(model="facebook/bart-large-cnn").corpus(["A cat sat."], ["A cat was sitting."])  # doctest: +SKIP
    """

    name: ClassVar[str] = "bartscore"
    about: ClassVar = About(one_call=True, tolerance=1e-5, papers=("yuan-etal-2021-bartscore",))

    # fmt: off
    model: NamedSequence | None = option(
        None, stage="read", choice="model", kind="sequence",
        about="The sequence-to-sequence model: a folder with a model of transformers such as BART, a name on the Hub, "
        "a loaded ``(model, tokenizer)``, or the name of one in use, as a signature has it. There is no score without "
        "one.",
    )
    direction: str = option(
        "faithfulness", stage="pairs", choice="direction",
        about="Which text the model reads, and which one it expects after it.",
        one_of={
            "faithfulness": "it reads the reference, which is the source, and expects the text",
            "precision": "it reads the reference, and expects the text",
            "recall": "it reads the text, and expects the reference",
            "f": "the mean of precision and recall",
        },
    )
    too_long: str = of_long_texts(counted="pair")
    multi_reference: str = option(
        "mean", stage="join", choice="several references",
        about="Which of several references counts.",
        one_of={"mean": "all of them: the mean of the scores with each", "best": "the one with the best score"},
    )
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="A factor of the scores.")

    numbers: ClassVar = (
        number(
            "bartscore", -math.inf, 0, better="higher", title="BARTScore", unit="nats",
            about="mean log-probability of the tokens of the text that is expected",
        ),
        *(
            number(
                name, -math.inf, 0, better="higher", unit="nats", when={"direction": ("f",)},
                about=f"mean log-probability of the tokens of {expected}",
            )
            for name, expected in (("precision", "the text after the reference"),
                                   ("recall", "the reference after the text"))
        ),
        counted("segments", "segments", about="segments, of whose scores this is the mean"),
    )  # fmt: skip

    def _likelihoods(self, segments: Segments) -> tuple[Floats, Integers]:
        """The score of each pair in each direction that is asked for (directions, pairs), and the tokens left out."""
        if self.model is None:
            raise InputError(
                f"{self._label}: `model` is missing; give a folder with a sequence-to-sequence model of transformers, "
                "such as BART, or its name on the Hub."
            )
        distinct = distinct_of(segments)
        text, reference = distinct.pairs(segments)
        forth, back = np.column_stack([reference, text]), np.column_stack([text, reference])
        sides = {"recall": [back], "f": [forth, back]}.get(self.direction, [forth])
        keys, places = np.unique(np.concatenate(sides), axis=0, return_inverse=True)  # each pair is read once
        read = [(distinct.texts[source], distinct.texts[target]) for source, target in keys]
        scores, left_out = pair_likelihoods(self.model, read)
        shape = len(sides), -1
        return scores[places.ravel()].reshape(shape), left_out[places.ravel()].reshape(shape).max(axis=0)

    def _scored_pairs(self, segments: Segments) -> tuple[Floats, Integers]:
        key = ("likelihoods", self.model, self.direction)
        found: tuple[Floats, Integers] = segments.memoize(key, lambda: self._likelihoods(segments))
        return found

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The score of each pair, its precision and its recall for the F score, and a 1."""
        scores, left_out = self._scored_pairs(segments)
        if self.too_long == "error":
            self._refuse_long_pairs(segments, left_out, " or its reference is")
        return np.column_stack([bartscore(scores[0], scores[-1]), *scores, np.ones(scores.shape[1])])

    @property
    def _columns(self) -> tuple[str, ...]:
        parts = ("precision_sum", "recall_sum") if self.direction == "f" else ("expected_sum",)
        return ("bartscore_sum", *parts, "segments")

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 0]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., -1]
        means = self.scale * ratio(statistics[..., :-1], segments[..., None])
        parts = {"precision": means[..., 1], "recall": means[..., 2]} if self.direction == "f" else {}
        return {"bartscore": means[..., 0], **parts, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return []
        long = int((self._scored_pairs(segments)[1] > 0).sum())
        told = f"{long} pair{' is' if long == 1 else 's are'} longer than the model's context"
        return [f"{self._label}: {told}; the end was left out."] if long else []

    _variants: ClassVar = {
        "bart-score": Variant("BARTScore", "BARTScorer.score(sources, texts)", {"too_long": "cut"}),
        **{
            f"bart-score-{name}": Variant("BARTScore", about, {"direction": name, "too_long": "cut"})
            for name, about in (
                ("precision", "score(references, texts)"),
                ("recall", "score(texts, references)"),
                ("f", "the mean of both, as the paper has it"),
            )
        },
    }
