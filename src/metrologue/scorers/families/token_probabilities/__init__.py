"""Cross-entropy, likelihood and perplexity: how probable a model finds the tokens of texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.language_models.named import NamedModel
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, number_rows
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.token_probabilities.kernels import token_sums
from metrologue.scorers.families.token_probabilities.reading import (
    MASK,
    UNKNOWN,
    base_name,
    base_of,
    lengths,
    log_probabilities,
)
from metrologue.segments import Segments

__all__ = ["TEXTBOOK", "TokenProbabilities", "cross_entropy", "power"]


_SUMS = ("known_total", "oov_total", "tokens", "oovs", "impossible", "impossible_oovs")
TEXTBOOK = {"textbook": Variant("Jelinek", "the definition: bits, over all tokens of all texts")}


def cross_entropy(log_probability: Floats, tokens: Floats, impossible: Floats) -> Floats:
    """The cross-entropy: minus the mean of the log-probabilities of the tokens.

    Parameters
    ----------
    log_probability : float64 (...)
        The sum over the tokens that have a probability above 0.
    tokens : float64 (...)
        The number of all tokens, at least 1; or of words, characters or bytes.
    impossible : float64 (...)
        The number of tokens with a probability of 0. One of them makes the cross-entropy infinite.

    Returns
    -------
    float64 (...)
        To the base of the log-probabilities: bits for the base 2.

    Examples
    --------
    The probabilities 1/2, 1/4 and 1/8 have 1, 2 and 3 bits.

    >>> cross_entropy(np.array(-6.0), np.array(3.0), np.array(0.0))
    array(2.)
    """
    # Minus 0 would be printed with its sign.
    return np.where(impossible > 0, math.inf, 0.0 - log_probability / tokens)


def power(base: float, exponents: Floats) -> Floats:
    """``base ** exponents`` to the last bit as C computes it; infinite if it is too large for a double.

    NumPy's own power can differ in the last bit. Programs print so many digits that it can be seen.

    Examples
    --------
    >>> power(10.0, np.array([2.0, 400.0, -np.inf]))
    array([100.,  inf,   0.])
    """

    def one(exponent: float) -> float:
        try:
            return math.pow(base, exponent)
        except OverflowError:
            return math.inf

    with np.errstate(over="ignore"):
        return np.asarray(np.frompyfunc(one, 1, 1)(exponents), np.float64)


@dataclass(frozen=True, kw_only=True)
class TokenProbabilities(OfTexts, Scorer):
    """The base of ``CrossEntropy``, ``Likelihood`` and ``Perplexity``, which are one quantity.

    A prediction is a list with the probability of each token of a text, or a line of such numbers, separated by
    whitespace. With a `model` it is the text itself. There are no references.

    Each scorer reports all numbers. With N tokens of the probabilities p, ``cross_entropy`` is H = -(1/N) sum log_b p,
    ``likelihood`` is b^-H, the geometric mean of the probabilities, and ``perplexity`` is b^H, its inverse. ``tokens``,
    ``oovs`` and ``impossible`` are the numbers of all tokens, of those that are not in the model's vocabulary, and of
    those with a probability of 0. One impossible token makes the cross-entropy and the perplexity infinite and the
    likelihood 0.

    Two other inputs can be given by name to ``corpus`` and its like. `mask` has a 0 for each token that does not count,
    and `unknown` has a 1 for each token that is not in the vocabulary. Both are lists of numbers, as long as the
    predictions.

    Raises
    ------
    InputError
        If a number is no probability (1e-6 above 1 counts as 1); if flags are not 0 or 1, or not one for each token; if
        nothing is left to score: in any text for a mean or for scores of texts, or in all of them.

    References
    ----------
    Jelinek et al. 1977, https://doi.org/10.1121/1.2016299; KenLM, https://github.com/kpu/kenlm.
    """

    inputs: ClassVar[tuple[Input, ...]] = (
        number_rows("predictions", or_texts=True),
        number_rows(MASK, required=False, about="a 0 for each token that does not count, otherwise a 1"),
        number_rows(UNKNOWN, required=False, about="a 1 for each token that is not in the vocabulary, otherwise a 0"),
    )
    about: ClassVar = About(papers=("jelinek-etal-1977-perplexity",))
    _variants: ClassVar = TEXTBOOK

    # fmt: off
    values: str = option(
        "probabilities", stage="read", choice="values",
        about="What the predictions hold. It is never guessed.",
        one_of={"probabilities": "probabilities", "log-probabilities": "logarithms of probabilities, to `log_base`"},
    )
    log_base: str = option(
        "e", stage="score", choice="values", kind="base",
        about='The base of log-probabilities: "e" or a number above 1, such as "2" or "10". It has no effect for '
        "probabilities and with a model.",
    )
    model: NamedModel | None = option(
        None, stage="read", choice="model", kind="model",
        about="The model that gives each token of a text its probability, its path, or a loaded ``(model, "
        "tokenizer)``; or the name of one in use, as a signature has it.",
    )
    oov: str = option(
        "include", stage="score", choice="counted",
        about="Whether tokens outside of the vocabulary count.",
        one_of={
            "include": "they do",
            "exclude": "they do not",
            "both": "they do, and the perplexity without them is reported as ``perplexity_excluding_oovs``",
        },
    )
    per: str = option(
        "token", stage="pairs", choice="counted",
        about="What the sum over a text is divided by. All but the number of tokens are the length of the text "
        'itself, which is the same for all models: ``CrossEntropy(per="byte")`` is in bits per byte. This needs a '
        '`model` that scores whole texts, and all of their tokens: no `mask`, and `oov` is "include". The length is '
        "reported under its name, such as ``bytes``.",
        one_of={
            "token": "its number of tokens",
            "word": "its number of words, which are separated by whitespace",
            "character": "its number of characters, which are code points",
            "byte": "its number of bytes",
        },
    )
    precision: str = option(
        "double", stage="pairs", choice="precision",
        about="The floats that are summed.",
        one_of={
            "double": "all sums are 64-bit floats",
            "single": "log-probabilities are 32-bit floats, and so is their sum in a text, one after another; sums "
            "over texts are 64-bit floats. KenLM's ``query`` does this",
        },
    )
    base: str = option(
        "2", stage="score", choice="base", kind="base",
        about='The base b of the cross-entropy: "2" for bits, "e" for nats, "10", or another number above 1. Nothing '
        "else depends on it.",
    )
    # fmt: on
    aggregation: str = with_default(
        "corpus",
        one_of={
            "corpus": "the tokens of all texts together; a text without a token adds nothing",
            "mean": "the mean of the texts' own numbers, as the Hub's ``mean_perplexity`` is",
        },
    )

    def __post_init__(self) -> None:
        for name in ("base", "log_base"):
            try:
                self._set_field(**{name: base_name(getattr(self, name))})
            except (TypeError, ValueError, OverflowError):
                raise self._refused(name, "'e' or a number above 1") from None
        super().__post_init__()

    def _check_together(self) -> None:
        self._check("per", self.per == "token" or self.oov == "include", "'token', or oov='include',")

    @property
    def _columns(self) -> tuple[str, ...]:
        """The sums of tokens, and the length of the text that the metric is per, if it is not per token."""
        return (*_SUMS, *self._lengths)

    @property
    def _lengths(self) -> tuple[str, ...]:
        """The name of the number of words, characters or bytes, if the metric is per one of them."""
        return () if self.per == "token" else (f"{self.per}s",)

    numbers: ClassVar = (
        number(
            "cross_entropy", 0, math.inf, better="lower", title="cross-entropy", infinite=True,
            about="mean of -log p of the tokens, to the base `base`",
        ),
        number("likelihood", 0, "scale", better="higher", about="geometric mean of the probabilities of the tokens"),
        number("perplexity", "scale", math.inf, better="lower", infinite=True, about="inverse of the likelihood"),
        number(
            "perplexity_excluding_oovs", "scale", math.inf, better="lower", infinite=True, when={"oov": ("both",)},
            about="perplexity of the tokens that are in the vocabulary",
        ),
        counted("tokens", "tokens", about="all tokens"),
        counted("oovs", "tokens", about="tokens that are not in the vocabulary"),
        counted("impossible", "tokens", about="tokens with a probability of 0"),
        counted("words", "words", when={"per": ("word",)}, about="words of the texts, between whitespace"),
        counted("characters", "characters", when={"per": ("character",)}, about="code points of the texts"),
        counted("bytes", "bytes", when={"per": ("byte",)}, about="bytes of the texts in UTF-8"),
    )  # fmt: skip

    @property
    def _unit(self) -> float:
        """The base of the log-probabilities in the statistics: that of the numbers or of the model; 2 otherwise."""
        if self.model is not None:
            return float(self.model.model.base)
        return base_of(self.log_base) if self.values == "log-probabilities" else 2.0

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """The statistics of each segment; for a mean, its numbers and a 1. Arguments and errors as in ``Scorer``."""
        if self.aggregation == "mean":
            self._refuse_empty(segments, threads)
        return super().statistics(segments, threads)

    def _of_each(self, segments: Segments, threads: int | None) -> dict[str, Floats]:
        """Every number of each segment on its own, each of shape (n,)."""
        self._refuse_empty(segments, threads)
        return super()._of_each(segments, threads)

    def _refuse_empty(self, segments: Segments, threads: int | None) -> None:
        """Raise an InputError that names the first text without a token that counts."""
        empty = np.flatnonzero(self._divisors(self._rows(segments, threads)) == 0)
        if empty.size:
            index = segments.first + int(empty[0])
            raise InputError.at(self._label, "predictions", index, f" has no {self.per}s to score; drop the text.")

    def _statistics(self, segments: Segments) -> Floats:
        scores = log_probabilities(segments, self.values, self.model, self._label)
        rows = np.empty((len(segments), len(self._columns)))
        token_sums(scores.log_probabilities, scores.unknown, scores.offsets, self.precision == "single", rows)
        if self.per != "token":
            rows[:, -1] = lengths(segments, self.per, self.model, self._label)
        return rows

    def _divisors(self, statistics: Floats) -> Floats:
        """What sums are divided by. If both perplexities are reported, it is that of the one without OOVs."""
        sums = self._named(statistics)
        length = sums[f"{self.per}s"]
        return length if self.oov == "include" else length - sums["oovs"]

    def _named(self, statistics: Floats) -> dict[str, Floats]:
        return by_name(self._columns, statistics)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        if not self._divisors(statistics).all():
            raise InputError(f"{self._label}: there are no {self.per}s to score.")
        sums = self._named(statistics)
        length, impossible = sums[f"{self.per}s"], sums["impossible"]
        without = sums["known_total"], length - sums["oovs"], impossible - sums["impossible_oovs"]
        counted = without if self.oov == "exclude" else (sums["known_total"] + sums["oov_total"], length, impossible)
        entropy = cross_entropy(*counted)
        perplexities = {"perplexity": entropy}
        if self.oov == "both":
            perplexities["perplexity_excluding_oovs"] = cross_entropy(*without)
        unit = self._unit
        per_unit = 1.0 if unit == base_of(self.base) else math.log(unit) / math.log(base_of(self.base))
        return {
            "cross_entropy": self.scale * per_unit * entropy,
            "likelihood": self.scale * power(unit, -entropy),
            **{name: self.scale * power(unit, each) for name, each in perplexities.items()},
            **{name: sums[name] for name in ("tokens", "oovs", "impossible", *self._lengths)},
        }
