"""What a metric has no score without: a language model, an encoder, word vectors, a training and others."""

from __future__ import annotations

import os
from typing import Any

from metrologue.errors import InputError
from metrologue.scorers.core.options import field_types, item_type, options_of
from metrologue.scorers.core.scorer import Scorer


def model_field(kind: type[Scorer]) -> str | None:
    """The field of a metric that holds its model, encoder, word vectors, trained model or function; None for others.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Perplexity, Wmd
    >>> model_field(Perplexity), model_field(Wmd), model_field(Bleu)
    ('model', 'vectors', None)
    """
    kinds = ("model", "encoder", "sequence", "trained", "function")
    return next((name for name, one in options_of(kind).items() if one.kind in kinds), None)


def model_kind(kind: type[Scorer]) -> str | None:
    """What the ``model_field`` of a metric holds, such as "model", "encoder" or, of a learned metric, "trained".

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Bleu, Composite
    >>> model_kind(BertScore), model_kind(Composite), model_kind(Bleu)
    ('encoder', 'trained', None)
    """
    field = model_field(kind)
    return None if field is None else options_of(kind)[field].kind


def needs_model(kind: type[Scorer]) -> bool:
    """Whether a metric has no score without an encoder, a language model or a trained model.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Perplexity, Yisi
    >>> needs_model(BertScore), needs_model(Perplexity), needs_model(Yisi)
    (True, False, False)
    """
    return model_field(kind) is not None and not (kind.about.optional_model or kind.takes("numbers"))


# What a metric needs, by the kind of its option.
_NEEDED = {
    "model": "a language model", "encoder": "an encoder", "sequence": "a released checkpoint", "trained": "a training",
    "function": "a function of yours",
}  # fmt: skip


def needs_of(kind: type[Scorer]) -> str:
    """What a metric has no score without, in words: "nothing", "word vectors", "an encoder", "a training" and others.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Bleu, FactCC, Wmd
    >>> needs_of(Bleu), needs_of(Wmd), needs_of(BertScore), needs_of(FactCC)
    ('nothing', 'word vectors', 'an encoder', 'a released checkpoint or a training')
    """
    field = model_field(kind)
    if kind.about.needs or field is None:
        return kind.about.needs or "nothing"
    what = "word vectors" if field == "vectors" else _NEEDED[str(model_kind(kind))]
    return what if needs_model(kind) else f"nothing, or {what}"


def said_of_needs(kind: type[Scorer]) -> str:
    """What a metric needs, and whether it is research, in sentences.

    Examples
    --------
    >>> from metrologue.scorers import BertScore, Bleu, Yisi
    >>> said_of_needs(BertScore), said_of_needs(Bleu), said_of_needs(Yisi)
    ('It needs an encoder.', 'No model needed.', 'No model needed; it also takes word vectors.')
    """
    needed, reached = needs_of(kind), kind.about.research
    optional = needed.removeprefix("nothing, or ")
    if needed == "nothing":
        told = "No model needed."
    else:
        told = f"It needs {needed}." if optional == needed else f"No model needed; it also takes {optional}."
    return f"{told} Research: made anew from a paper; no released model is read. {reached}" if reached else told


def model_of(kind: type[Scorer], model: Any, **options: Any) -> Any:
    """The value of the ``model_field`` of a metric, for a path, a name, a loaded model, or what the field takes.

    `options` are those of what opens it, such as `encoder` of ``metrologue.learned.open_model``. Raises an InputError
    if there is no such model.
    """
    holder = item_type(field_types(kind)[str(model_field(kind))])
    is_path = isinstance(model, str | os.PathLike)
    if options and not is_path and model_kind(kind) == "trained":
        name = min(options)
        raise InputError(
            f"{kind.__name__}: `{model_field(kind)}` is open already; give `{name}` to what opens it, as in "
            f"open_model(folder, {name}={options[name]!r})."
        )
    taken = not options and (not is_path or model_kind(kind) == "trained")  # or the name of one in use
    return holder.of(model) if taken else holder.of(holder.opened(model, **options))
