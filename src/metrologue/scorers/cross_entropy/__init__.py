"""The cross-entropy of texts under a model."""

from typing import ClassVar

from metrologue.scorers.families.token_probabilities import TokenProbabilities

__all__ = ["CrossEntropy"]


class CrossEntropy(TokenProbabilities):
    """The mean of -log p of the tokens, in bits by default; lower is better, 0 or more. See ``TokenProbabilities``.

    Examples
    --------
    >>> CrossEntropy().corpus([[0.5, 0.25, 0.125]]).value
    2.0
    >>> CrossEntropy(base="e").corpus([[0.5, 0.25, 0.125]]).value
    1.3862943611198906

    Bits per byte of a text, with a model of transformers:

    >>> from metrologue.language_models import open_model
    >>> model = open_model("gpt2", stride=512)  # doctest: +SKIP
    >>> CrossEntropy(model=model, per="byte").corpus([text]).value  # doctest: +SKIP
    """

    name: ClassVar[str] = "cross_entropy"
