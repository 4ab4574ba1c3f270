"""The models that metrics take: language models and encoders, from wherever they are."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["model_of", "takes_encoder"]

# The class of a scorer. A module that imports this one has it.
ScorerClass = Any


def takes_encoder(kind: ScorerClass) -> bool:
    """Whether the model of a metric is an encoder; it has no score without one.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Perplexity
    >>> takes_encoder(BertScore), takes_encoder(Perplexity)
    (True, False)
    """
    declared = kind._options().get("model")
    return declared is not None and declared.kind == "encoder"


def model_of(kind: ScorerClass, model: str | os.PathLike[str], **options: Any) -> Any:
    """The value of the field `model` of a metric, for a path or a name.

    Raises
    ------
    InputError
        If there is no such model. See ``open_model`` and ``open_encoder``.
    """
    if takes_encoder(kind):
        from metrologue.representations import NamedEncoder, open_encoder

        return NamedEncoder.of(open_encoder(model, **options))
    from metrologue.language_models import NamedModel, open_model

    return NamedModel.of(open_model(model, **options))
