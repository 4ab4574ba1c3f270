"""What logs of harnesses have in common: a text, and right answers in several forms."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.values import finite


def at(value: Any, *keys: str | int) -> Any:
    """What objects and lists of JSON hold at these keys; None where there is nothing.

    Examples
    --------
    >>> at({"choices": [{"message": "a cat"}]}, "choices", 0, "message"), at({"choices": []}, "choices", 0, "message")
    ('a cat', None)
    """
    for key in keys:
        if isinstance(value, dict):
            value = value.get(key)
        else:
            value = value[key] if isinstance(value, list) and isinstance(key, int) and key < len(value) else None
    return value


def numbers_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """The columns of numbers in the scores of n samples, NaN where a sample has none."""
    numbers = [{name: each for name, value in row.items() if (each := finite(value)) is not None} for row in rows]
    names = dict.fromkeys(name for row in numbers for name in row)
    return {name: [row.get(name, math.nan) for row in numbers] for name in names}


def text_of(value: Any, where: str, what: str) -> str:
    """A text; a number is written as JSON has it.

    Raises
    ------
    InputError
        If it is neither, or half of a surrogate pair.

    Examples
    --------
    >>> text_of(3, "a.jsonl:1", "target"), text_of("a cat", "a.jsonl:1", "target")
    ('3', 'a cat')
    """
    text = value if isinstance(value, str) else json.dumps(value) if isinstance(value, int | float) else None
    if text is None:
        raise InputError(f"{where}: the {what} is {shown(value)}; a text is expected.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: the {what} has half of a surrogate pair, which is no text.") from None
    return text


def references_of(value: Any, where: str) -> list[str]:
    """The right answers of a target: a text, a number such as the index of a choice, a list of these, also as JSON.

    Examples
    --------
    >>> references_of("cat", "a:1"), references_of(2, "a:1"), references_of('["a", "b"]', "a:1")
    (['cat'], ['2'], ['a', 'b'])
    """
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        try:
            held = json.loads(value)
        except (ValueError, RecursionError):
            held = None
        if isinstance(held, list) and held and all(isinstance(each, str) for each in held):
            value = held
    answers = value if isinstance(value, list) else [value]
    return [text_of(each, where, "target") for each in answers] or [""]
