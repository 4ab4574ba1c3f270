"""The models that metrics take: language models and encoders, from wherever they are."""

from __future__ import annotations

from typing import Any

from metrologue.scorers.core.options import field_types, item_type

__all__ = ["is_trained", "model_field", "model_of", "needs_model", "takes_encoder"]

# The class of a scorer. A module that imports this one has it.
ScorerClass = Any


def model_field(kind: ScorerClass) -> str | None:
    """The field of a metric that holds its language model, encoder, word vectors or trained model; None for others.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Perplexity, Wmd
    >>> model_field(Perplexity), model_field(Wmd), model_field(Bleu)
    ('model', 'vectors', None)
    """
    return next((name for name, one in kind._options().items() if one.kind in ("model", "encoder", "trained")), None)


def takes_encoder(kind: ScorerClass) -> bool:
    """Whether the model of a metric is an encoder.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Perplexity
    >>> takes_encoder(BertScore), takes_encoder(Perplexity)
    (True, False)
    """
    field = model_field(kind)
    return field is not None and kind._options()[field].kind == "encoder"


def is_trained(kind: ScorerClass) -> bool:
    """Whether a metric is learned, and takes a model that was trained for it.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Ruse
    >>> is_trained(Ruse), is_trained(BertScore)
    (True, False)
    """
    field = model_field(kind)
    return field is not None and kind._options()[field].kind == "trained"


def needs_model(kind: ScorerClass) -> bool:
    """Whether a metric has no score without an encoder, a language model or a trained model.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Perplexity, Yisi
    >>> needs_model(BertScore), needs_model(Perplexity), needs_model(Yisi)
    (True, False, False)
    """
    return model_field(kind) is not None and not (kind._model_is_optional or kind.takes("numbers"))


def model_of(kind: ScorerClass, model: Any, **options: Any) -> Any:
    """The value of the ``model_field`` of a metric, for a path, a name or a loaded model.

    `options` are those of what opens it: of ``metrologue.learned.open_model`` for a learned metric, so `encoder`.

    Raises
    ------
    InputError
        If there is no such model. See ``open_model`` and ``open_encoder``, and for a learned metric
        ``metrologue.learned.open_model``.
    """
    field = model_field(kind)
    assert field is not None
    holder = item_type(field_types(kind)[field])
    in_use = is_trained(kind) and not options  # a name of one in use will do
    return holder.of(model) if in_use else holder.of(holder.opened(model, **options))
