"""USR: a response by its language, its context and the fact it may use, joined by a regression (Mehri 2020)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of
from metrologue.language_models.named import NamedModel, continuation_sums
from metrologue.representations.named import NamedEncoder
from metrologue.scorers.core.inputs import Input, given_to, turns
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.dialogues import OfDialogues, turns_of
from metrologue.scorers.semantic_similarity import cosines
from metrologue.segments import Segments

__all__ = ["Usr", "fitted", "regression"]

FACTS = "facts"
_PARTS = ("mlm", "dr_c", "dr_f")
# The authors' regression, from the file regr.pkl of their program. It reads MLM and DR(c) twice each, because each of
# them stands for two qualities; the two coefficients are added here.
_MEANS = (-1.012293440649907, 0.8604811806918587, 0.8472124995904354)
_DEVIATIONS = (0.39053753419230813, 0.30259338627812254, 0.27987823011851076)
_WEIGHTS = (0.6601100065 + 0.4035348605, 0.5132785702 + 0.9605336087, 0.3564255382)
_INTERCEPT = 3.5974754476
_MOST_WORDS = 52  # of the last turn of a context
_LEAST_RATED = 4  # unknowns of a regression


def regression(
    parts: Floats, means: Sequence[float], deviations: Sequence[float], weights: Sequence[float], intercept: float
) -> Floats:
    """The overall score of parts (..., 3): a weighted sum of their z-scores.

    Examples
    --------
    The regression of the authors, for a response whose language is one standard deviation above the mean:

    >>> round(float(regression(np.array([-0.621756, 1.0, 1.0]), _MEANS, _DEVIATIONS, _WEIGHTS, _INTERCEPT)), 5)
    5.53524
    """
    score: Floats = intercept + ((parts - np.array(means)) / np.array(deviations)) @ np.array(weights)
    return score


def fitted(parts: Floats, ratings: Floats) -> dict[str, Any]:
    """The regression of parts (n, 3) on ratings (n,) by least squares, as the arguments of ``regression``.

    Examples
    --------
    >>> rows = np.array([[-1.0, 0.0, 0.0], [-2.0, 1.0, 0.0], [-3.0, 0.0, 1.0], [-4.0, 1.0, 1.0]])
    >>> regression(rows, **fitted(rows, np.array([4.0, 3.0, 2.0, 1.0]))).round(6)
    array([4., 3., 2., 1.])
    """
    means, deviations = parts.mean(axis=0), parts.std(axis=0)
    deviations = np.where(deviations > 1e-9, deviations, 1.0)  # a part that does not vary has a weight of 0
    weights = np.linalg.lstsq((parts - means) / deviations, ratings - ratings.mean(), rcond=None)[0]
    arrays = {"means": means, "deviations": deviations, "weights": weights}
    return {**{name: tuple(each.tolist()) for name, each in arrays.items()}, "intercept": float(ratings.mean())}


@dataclass(frozen=True, kw_only=True)
class Usr(OfDialogues):
    """A rating of a response by its language, its context and its facts, without a reference; higher is better.

    Three parts are joined by a linear regression. ``mlm`` is the log-probability of the tokens of the response, as a
    masked language model finds it: each token is masked in turn. ``dr_c`` says how well the response fits its context,
    and ``dr_f`` how well it fits the fact that it may use: the probability that a classifier gives to the pair, trained
    to tell responses from random ones. ``usr`` is the regression's number. The score of a corpus, such as all
    responses of a system, is the mean of its segments.

    The authors' models are not available here. Their regression is the default; it was made for RoBERTa, trained on
    TopicalChat as they did, and means nothing for other models. ``with_regression`` fits one to ratings. The variant
    `usr-causal` has a causal language model in place of the masked one, and the cosines of an encoder in place of both
    classifiers.

    A prediction is a response; of a dialogue, the last turn is the response. `contexts` has the turns before it, and
    `facts` a text for each. Without facts, the context stands in their place. An empty context or fact is allowed.

    Raises
    ------
    InputError
        If a model or an encoder is missing, or a text is too long for one.

    References
    ----------
    Mehri and Eskenazi 2020, https://aclanthology.org/2020.acl-main.64; the program at https://github.com/Shikib/usr.

    Examples
    --------
    >>> from metrologue.language_models import FunctionModel
    >>> from metrologue.representations import FunctionEncoder
    >>> model = FunctionModel("lengths", lambda texts: [[(w, -len(w) / 4) for w in t.split()] for t in texts], "1")
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> encoder = FunctionEncoder("letters", letters, "1")
    >>> usr = Usr.variant("usr-causal", model=model, context_encoder=encoder, fact_encoder=encoder)
    >>> found = usr.corpus(["bad cafe"], contexts=["a cafe"], facts=["bad cab"])
    >>> {name: round(value, 3) for name, value in found.scores.items()}
    {'usr': 0.85, 'mlm': -0.875, 'dr_c': 0.882, 'dr_f': 0.843, 'segments': 1}
    """

    name: ClassVar[str] = "usr"
    about: ClassVar = replace(
        OfDialogues.about,
        needs="a language model and two encoders",
        one_call=True,
        papers=("mehri-eskenazi-2020-usr",),
        tolerance=1e-5,
    )
    inputs: ClassVar[tuple[Input, ...]] = (
        *OfDialogues.inputs,
        turns(FACTS, required=False, about="the facts that each prediction may use"),
    )

    # fmt: off
    model: NamedModel | None = option(
        None, stage="read", choice="model", kind="model",
        about="The language model: a masked one, or a causal one; its path, or a loaded ``(model, tokenizer)``. There "
        "is no score without one.",
    )
    context_encoder: NamedEncoder | None = option(
        None, stage="read", choice="context encoder", kind="encoder",
        about="What compares a response with its context: a classifier of pairs, whose number is the probability of "
        "its second label, or an encoder of texts, whose number is the cosine. There is no score without one.",
    )
    fact_encoder: NamedEncoder | None = option(
        None, stage="read", choice="fact encoder", kind="encoder",
        about="What compares a response with its fact, as `context_encoder`. There is no score without one.",
    )
    form: str = option(
        "authors", stage="read", choice="form",
        about="How the texts reach the models.",
        one_of={
            "authors": "in lower case, with _go and _eos around turns; the last turn of the context, of which 52 "
            "words, and for the context encoder the fact after it. The program also cuts texts into tokens, which is "
            "left to the caller",
            "plain": "as they are; all turns of the context, a line each",
        },
    )
    likelihood: str = option(
        "all", stage="pairs", choice="likelihood",
        about="What the number ``mlm`` is.",
        one_of={
            "all": "the mean over all tokens of the context and the response, as in the program",
            "response": "the mean over the tokens of the response",
            "sum": "the sum over the tokens of the response, as in the paper",
        },
    )
    means: tuple[float, ...] = option(
        _MEANS, stage="score", choice="regression", least=-1e9,
        about="The means of the three parts, for their z-scores.",
    )
    # fmt: on
    deviations: tuple[float, ...] = option(
        _DEVIATIONS, stage="score", choice="regression", about="Their standard deviations, above 0.", least=1e-9
    )
    weights: tuple[float, ...] = option(
        _WEIGHTS, stage="score", choice="regression", least=-1e9, about="The coefficients of the three z-scores."
    )
    intercept: float = option(
        _INTERCEPT, stage="score", choice="regression", least=-1e9, about="The score of z-scores of 0."
    )
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="A factor of ``usr``.")

    numbers: ClassVar = (
        number("usr", -math.inf, math.inf, better="higher", title="USR", about="the regression's number"),
        number(
            "mlm", -math.inf, 0, better="higher",
            about="log-probability of the tokens, as `likelihood` says",
        ),
        number("dr_c", -1, 1, better="higher", title="DR(c)", about="how well the response fits its context"),
        number("dr_f", -1, 1, better="higher", title="DR(f)", about="how well the response fits its fact"),
        counted("segments", "responses", about="responses, of whose scores this is the mean"),
    )  # fmt: skip

    _columns = (*(f"{name}_sum" for name in _PARTS), "segments")

    def _check_together(self) -> None:
        for name in ("means", "deviations", "weights"):
            self._check(name, len(getattr(self, name)) == len(_PARTS), "three numbers, for mlm, dr_c and dr_f,")

    def _statistics(self, segments: Segments) -> Floats:
        """The three parts of each response, and a 1."""
        if missing := next(
            (name for name in ("model", "context_encoder", "fact_encoder") if not getattr(self, name)), ""
        ):
            raise InputError(
                f"Usr: `{missing}` is missing. The authors' models (https://github.com/Shikib/usr) are not at hand; "
                "give your own."
            )
        texts = self._texts(segments)
        places = [("predictions", segments.first + row) for row in range(len(segments))]
        rows = np.ones((len(segments), len(self._columns)))
        rows[:, 0] = self._of_language(texts, places)
        rows[:, 1] = _fit_of(self.context_encoder, texts["context"], texts["response"])
        rows[:, 2] = _fit_of(self.fact_encoder, texts["fact"], texts["response"])
        return rows

    def _texts(self, segments: Segments) -> dict[str, list[str]]:
        """The texts as the models read them."""
        conversations = self._conversations(segments)
        said = [turns[:-1] for turns in conversations]
        facts = ["\n".join(own) for own in (turns_of(segments, FACTS) if FACTS in segments.columns else said)]
        responses = [turns[-1] for turns in conversations]
        if self.form == "plain":
            contexts = ["\n".join(own) for own in said]
            before = [f"{each}\n" if each else "" for each in contexts]
            return {"before": before, "context": contexts, "fact": facts, "response": responses}
        last = [" ".join((own[-1] if own else "").lower().split()[-_MOST_WORDS:]) for own in said]
        facts = [" ".join(fact.lower().split()) for fact in facts]
        responses = [" ".join(f"_go {response.lower()} _eos".split()) for response in responses]
        return {
            "before": [f"{each} _eos ".lstrip() for each in last],
            "context": [f"{each} _eos {fact} _eos".lstrip() for each, fact in zip(last, facts, strict=True)],
            "fact": [f"{fact} _eos".lstrip() for fact in facts],
            "response": responses,
        }

    def _of_language(self, texts: dict[str, list[str]], places: list[tuple[str, int]]) -> Floats:
        """The number ``mlm`` of each response; 0 for one without tokens."""
        assert self.model is not None
        if self.likelihood != "all" and getattr(self.model.model, "last", None):
            raise InputError(
                f"Usr: {self.model} reads the last tokens of a text only, so likelihood={self.likelihood!r} cannot "
                "know where the response begins; open the model without `last`."
            )
        whole = [before + response for before, response in zip(texts["before"], texts["response"], strict=True)]
        befores = [""] * len(whole) if self.likelihood == "all" else [text.rstrip(" ") for text in texts["before"]]
        sums, counts = continuation_sums(self.model, whole, befores, "Usr", places).T
        divisors = np.maximum(counts, 1.0) if self.likelihood != "sum" else np.ones(len(counts))
        logs: Floats = np.minimum(sums * math.log(self.model.model.base) / divisors, 0.0)
        return logs

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., 3]
        parts = statistics[..., :3] / np.maximum(segments, 1.0)[..., None]
        overall = regression(parts, self.means, self.deviations, self.weights, self.intercept)
        bounded = [np.minimum(parts[..., 0], 0.0), *(np.clip(parts[..., place], -1, 1) for place in (1, 2))]
        return {"usr": self.scale * overall, **dict(zip(_PARTS, bounded, strict=True)), "segments": segments}

    def with_regression(self, predictions: Any, ratings: Any, **inputs: Any) -> Self:
        """The scorer with a regression that is fitted to people's ratings by least squares.

        Parameters
        ----------
        predictions : n strings, or Segments
            The responses that were rated.
        ratings : float (n,)
        **inputs
            Their `contexts` and `facts`.

        Raises
        ------
        InputError
            If there is not one rating for each response, one is no number, or there are fewer than four.

        Examples
        --------
        >>> from metrologue.scorers import Usr
        >>> Usr().with_regression(["a", "b"], [1.0, 2.0])
        Traceback (most recent call last):
            ...
        metrologue.errors.InputError: Usr: `ratings` are 2 numbers; a regression of three parts needs 4 or more.
        """
        segments = given_to(self, predictions, None, inputs)
        try:
            values = np.asarray(ratings, np.float64)
        except (TypeError, ValueError):
            raise InputError("Usr: `ratings` are no numbers.") from None
        if values.shape != (len(segments),):
            rated = "of shape " + str(values.shape) if values.ndim != 1 else number_of(len(values), "number")
            raise InputError(f"Usr: `ratings` are {rated} for {number_of(len(segments), 'prediction')}.")
        if len(values) < _LEAST_RATED:
            raise InputError(
                f"Usr: `ratings` are {number_of(len(values), 'number')}; a regression of three parts needs "
                f"{_LEAST_RATED} or more."
            )
        if not np.isfinite(values).all():
            raise InputError.at("Usr", "ratings", int(np.flatnonzero(~np.isfinite(values))[0]), " is not finite.")
        return replace(self, **fitted(self.statistics(segments)[:, :3], values))

    _variants: ClassVar = {
        "authors": Variant("usr", "the program, with the regression that it comes with"),
        "paper": Variant("usr", "the paper's sum over the response alone", {"likelihood": "sum"}),
        "usr-causal": Variant(
            "metrologue", "a causal model, and cosines; the sum of the three parts, unless a regression is fitted",
            {
                "form": "plain", "likelihood": "response", "means": (0.0,) * 3, "deviations": (1.0,) * 3,
                "weights": (1.0,) * 3, "intercept": 0.0,
            },
        ),
    }  # fmt: skip


def _fit_of(encoder: NamedEncoder | None, texts: list[str], responses: list[str]) -> Floats:
    """How well each response fits a text: the probability of a classifier of pairs, or the cosine of an encoder."""
    assert encoder is not None
    reader: Any = encoder.encoder
    if hasattr(reader, "score_pairs"):
        return reader.score_pairs(texts, responses)[0] if texts else np.zeros(0)
    distinct = [*dict.fromkeys([*texts, *responses])]
    if not distinct:
        return np.zeros(0)
    place = {text: row for row, text in enumerate(distinct)}
    from metrologue.representations.store import vector_store

    vectors = vector_store().texts(reader, distinct).astype(np.float64)
    pairs = [np.array([place[text] for text in side], np.int64) for side in (texts, responses)]
    blank = np.array([not (text.strip() and said.strip()) for text, said in zip(texts, responses, strict=True)])
    return np.where(blank, 0.0, cosines(vectors, *pairs))
