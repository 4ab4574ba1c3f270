"""The perplexity of texts under a model."""

from typing import ClassVar

from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.token_probabilities import TEXTBOOK, TokenProbabilities

__all__ = ["Perplexity"]


class Perplexity(TokenProbabilities):
    """The inverse of the geometric mean of the tokens' probabilities; lower is better, 1 or more.

    See ``TokenProbabilities``.

    Examples
    --------
    >>> Perplexity().corpus([[0.5, 0.25, 0.125]]).value
    4.0
    >>> Perplexity(values="log-probabilities", log_base="10").corpus(["-1 -2", "-3"]).value
    100.0
    >>> Perplexity(oov="exclude").corpus([[0.5, 0.001, 0.5]], unknown=[[0, 1, 0]]).value
    2.0
    >>> Perplexity().corpus([[0.5, 0.0]], mask=[[1, 1]]).value
    inf
    """

    name: ClassVar[str] = "perplexity"
    _variants: ClassVar = {
        **TEXTBOOK,
        "evaluate": Variant(
            "evaluate", "the Hub's `perplexity`: the mean of the texts' own perplexities", {"aggregation": "mean"}
        ),
        "kenlm": Variant(
            "KenLM",
            "the summary of `query`: with and without OOVs, and 32-bit totals of lines; a model's numbers are log10",
            {"oov": "both", "precision": "single", "base": "10"},
        ),
        "torchmetrics": Variant(
            "torchmetrics", "`perplexity`, in nats; `ignore_index` is a mask", {"base": "e"},
            live="torchmetrics.perplexity",
        ),
    }  # fmt: skip
