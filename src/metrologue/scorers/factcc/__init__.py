"""FactCC: how probably a text says what its source says, by a trained model (Kryscinski et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned.named import NamedTrained
from metrologue.learned.pair_function import PairFunction
from metrologue.learned.scorer import TrainedPairScorer
from metrologue.scorers.core.crossed import distinct_of, of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.factcc.network import Checked, ClaimNetwork, TokenRows
from metrologue.scorers.nli_faithfulness import sentences_of
from metrologue.segments import Segments

__all__ = ["FactCC"]


@dataclass(frozen=True, kw_only=True)
class FactCC(TrainedPairScorer):
    """The probability that a text says what its source says, as a trained model sees it; higher is better, 0-1.

    The references are the sources. Each sentence of the text is a claim, and the score of the text is the mean of the
    probabilities of its claims. ``consistent`` is the share of the claims with a probability of one half or more. Of
    several sources, the one that supports the text best counts. The score of a corpus is the mean of its segments. A
    text without content scores 0.

    The paper's model is BERT, fine-tuned on a million claims with errors that rules make. A folder with such a model is
    read: any classifier of transformers whose labels are CORRECT and INCORRECT, or those of inference. It reads the
    source and then the claim, and a pair that is too long loses the end of the longer text.

    ``metrologue train factcc`` makes such errors and trains a model that is smaller and no substitute for the paper's:
    a network on the vectors of an encoder, in which each token looks for its like in the other text. As in the paper's
    FactCCX, it also says where the error is, and where the support; ``trace`` shows both. It is measured on texts that
    were held out, beside a trivial rival such as ``entity_recall``.

    Raises
    ------
    InputError
        If there is no `model`, it was trained for another metric, or its labels do not say what they mean.

    References
    ----------
    Kryscinski et al. 2020, https://aclanthology.org/2020.emnlp-main.750; the program at
    https://github.com/salesforce/factCC.

    Examples
    --------
    A model that was trained on 64 made-up sentences, to try it:

    >>> from metrologue.learned import sample_model
    >>> factcc = FactCC(model=sample_model("factcc"))
    >>> good, bad = factcc.segments(["A cat slept on the sofa.", "Who sold it?"], ["The cat slept on a sofa."] * 2)
    >>> bool(good > bad)
    True
    """

    name: ClassVar[str] = "factcc"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        needs="a released checkpoint or a training",
        papers=("kryscinski-etal-2020-evaluating",),
    )
    _authors: ClassVar[str] = (
        "Or give a folder with the authors' BERT (https://github.com/salesforce/factCC), whose labels are CORRECT and "
        "INCORRECT."
    )

    model: NamedTrained | None = with_default(
        None,
        about="The model: the folder of a trained one, or of a classifier of transformers whose labels are CORRECT and "
        "INCORRECT or those of inference; a ``TrainedModel``, or the name of one in use, as a signature has it. There "
        "is no score without one.",
    )
    claims: str = option(
        "sentences",
        stage="pairs",
        choice="claims",
        about="What a claim is.",
        one_of={
            "sentences": "a sentence, which ends at a full stop, ! or ? before whitespace, or at a line end",
            "texts": "the whole text",
        },
    )
    scale: float = with_default(1.0, about="The value of a probability of 1.")

    numbers: ClassVar = (
        number(
            "factcc", 0, "scale", better="higher", title="FactCC",
            about="mean over the claims of the probability that they say what the source says",
        ),
        number(
            "consistent", 0, "scale", better="higher", about="share of the claims that are at least half probable"
        ),
        counted("segments", "segments", about="segments, of whose scores these are means"),
    )  # fmt: skip

    _columns = ("factcc_sum", "consistent_sum", "segments")

    def _claims_of(self, text: str) -> list[str]:
        return sentences_of(text, "marks" if self.claims == "sentences" else "none")

    def _tokens(self, segments: Segments) -> TokenRows:
        """The vectors of the tokens of the claims and of the sources."""
        model = self._trained
        layer, [encoder] = model.network_as(ClaimNetwork).layer, model.features.encoders
        texts = distinct_of(segments)

        def read() -> TokenRows:
            claims = [claim for place in {*texts.hypotheses.tolist()} for claim in self._claims_of(texts.texts[place])]
            sources = [texts.texts[place] for place in {*texts.references.tolist()}]
            return TokenRows(encoder.encoder, layer, [*claims, *sources])

        return of_texts(segments, ("claims", self.claims, layer, encoder), read)

    def _checked(self, rows: TokenRows, claim: str, source: str) -> Checked:
        network = self._trained.network_as(ClaimNetwork)
        return network(rows.vectors[claim], rows.vectors[source])

    @property
    def _marks_errors(self) -> bool:
        """Whether the model says where an error is: one that was trained here does, a released one does not."""
        return not isinstance(self._trained.network, PairFunction)

    def _asked(self, segments: Segments) -> list[list[tuple[str, str]]]:
        """The claims of each text with the source, for each pair of a text and a source."""
        texts = distinct_of(segments)
        pairs = zip(*(places.tolist() for places in texts.pairs(segments)), strict=True)
        return [[(own, texts.texts[source]) for own in self._claims_of(texts.texts[text])] for text, source in pairs]

    def _judged(self, segments: Segments) -> tuple[dict[tuple[str, str], float], int]:
        """The probability of each claim with its source, and how many texts or pairs did not fit into the model."""

        def judge() -> tuple[dict[tuple[str, str], float], int]:
            pairs = [*dict.fromkeys(chain.from_iterable(self._asked(segments)))]
            network = self._trained.network
            if isinstance(network, PairFunction):
                rights, left_out = network.score_pairs([source for _, source in pairs], [claim for claim, _ in pairs])
                return dict(zip(pairs, rights.tolist(), strict=True)), int((left_out > 0).sum())
            tokens = self._tokens(segments)
            long = sum(count > 0 for count in tokens.left_out.values())
            return {pair: self._checked(tokens, *pair).right for pair in pairs}, long

        return segments.memoize(("claims judged", self.claims, self.model), judge)

    def _pair_statistics(self, segments: Segments) -> Floats:
        asked, (judged, _) = self._asked(segments), self._judged(segments)
        rows = np.ones((len(asked), 3))
        for row, pairs in enumerate(asked):
            rights = [judged[pair] for pair in pairs] or [0.0]
            rows[row, :2] = np.mean(rights), np.mean([right >= 0.5 for right in rights])
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 2]
        count = np.maximum(segments, 1.0)
        score, consistent = (self.scale * statistics[..., column] / count for column in (0, 1))
        return {"factcc": score, "consistent": consistent, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return self._model_hints()
        _, long = self._judged(segments)
        what = "text is" if long == 1 else "texts are"
        cut = f"{self._label}: {long} {what} longer than the model's context; what follows was left out."
        return [*self._model_hints(), *([cut] if long else [])]
