"""What the modules of `evaluate` take: the forms of their columns, functions in place of tokenizers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from metrologue.scorers import Scorer
from metrologue.text.tokenizers import register_tokenizer


def text_features(scorer: type[Scorer]) -> list[Any]:
    """The forms of a scorer's columns for `evaluate`: a list of references for each segment, or one for each.

    The stricter form comes first, because `evaluate` takes the first that fits. The last form is that of sets of
    labels, for a metric that takes them.
    """
    from datasets import Features, Sequence, Value

    text = Value("string", id="sequence")
    others = {
        each.name: Sequence(text) if each.many else text
        for each in scorer.inputs[1:]
        if each.required and each.name != "references"
    }
    item = {"numbers": Value("float64"), "groups": text}.get(scorer.inputs[0].kind.name)
    if not scorer.input("references"):
        forms = [text, *([Sequence(item)] if item else [])]
        return [Features({"predictions": form, **others}) for form in forms]
    nested = Sequence(text, id="references")
    pairs = [(text, nested), *([(Sequence(item), nested)] if item else []), (text, text)]
    pairs += [(Sequence(text), Sequence(Sequence(text)))] if scorer.takes("sets") else []
    return [Features({"predictions": one, "references": other, **others}) for one, other in pairs]


def comparison_features() -> list[Any]:
    """The columns for `evaluate`: two systems, and a list of references for each segment."""
    from datasets import Features, Sequence, Value

    text = Value("string", id="sequence")
    return [Features({"predictions1": text, "predictions2": text, "references": Sequence(text, id="references")})]


def label_features() -> list[Any]:
    """The forms of predictions and references for `evaluate`: ints, strings, or rows of 0 and 1."""
    from datasets import Features, Sequence, Value

    return [
        Features({"predictions": value, "references": value})
        for value in (Value("int64"), Value("string"), Sequence(Value("int64")))
    ]


def number_features(columns: Mapping[str, str]) -> list[Any]:
    """The columns of numbers for `evaluate`, by what each holds: "number", "label" or "row"."""
    from datasets import Features, Sequence, Value

    kinds = {"number": Value("float64"), "label": Value("int64"), "row": Sequence(Value("float64"))}
    return [Features({name: kinds[kind] for name, kind in columns.items()})]


_naming = threading.RLock()
_in_use: list[tuple[str, Callable[[str], list[str]]]] = []  # a function that computes a score may use another one


@contextmanager
def named_tokenizer(tokenizer: str | Callable[[str], list[str]] | None) -> Iterator[str | None]:
    """A context manager that gives the name of a tokenizer for scorers. A function is named after its definition.

    Parameters
    ----------
    tokenizer : str, callable or None
        A name, which stays as it is, or a function from a text to its list of tokens.

    Raises
    ------
    InputError
        Inside the block, if the function returns something else.

    Examples
    --------
    >>> with named_tokenizer(str.split) as name:
    ...     print(name.partition("@")[0])
    builtins.str.split
    """
    if not callable(tokenizer):
        yield tokenizer
        return
    owner = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    name = f"{getattr(owner, '__module__', None) or 'builtins'}.{owner.__qualname__}"
    # Two functions can have the same name, as lambdas do. While one of them is in use, other threads have to wait.
    with _naming:
        _in_use.append((name, tokenizer))
        try:
            yield register_tokenizer(name, tokenizer)
        finally:
            _in_use.pop()
            if _in_use:
                register_tokenizer(*_in_use[-1])
