"""JSON and numbers that come from outside, in files or on the command line, each with what can be wrong with it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from metrologue.errors import InputError

# Python's own functions also take "1_0" and digits of other scripts.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_WHOLE = re.compile("[0-9]{1,18}")


def json_value(text: str, where: str, wanted: str = "") -> Any:
    """The value of a text in JSON.

    Parameters
    ----------
    text : str
    where : str
        The file, perhaps with the line, for the message.
    wanted : str
        What to write there, for the message.

    Raises
    ------
    InputError
        If it is not JSON, its brackets are nested too deeply, or an int has thousands of digits.

    Examples
    --------
    >>> json_value('{"a": [1, null]}', "a.jsonl:1")
    {'a': [1, None]}
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        what = f"not JSON ({error.msg} at {line}column {error.colno})"
    except (ValueError, RecursionError) as error:
        what = f"not JSON that can be read ({error})"
    raise InputError(f"{where}: {what}{wanted and f'; write {wanted}'}.")


def finite(value: object) -> float | None:
    """A number of JSON as a float; None for all else: a bool, infinity, NaN, an int that no float can hold.

    Examples
    --------
    >>> finite(3), finite(0.5), finite(True), finite("3"), finite(float("inf")), finite(10**400)
    (3.0, 0.5, None, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number_of_text(text: str) -> float | None:
    """The finite decimal number that a text is, perhaps within spaces; None if it is none.

    Examples
    --------
    >>> number_of_text("3"), number_of_text(" -.5e1"), number_of_text("1_000"), number_of_text("1e400")
    (3.0, -5.0, None, None)
    >>> number_of_text("nan"), number_of_text("inf"), number_of_text("٣"), number_of_text("")
    (None, None, None, None)
    """
    return finite(float(text)) if _NUMBER.fullmatch(text.strip()) else None


def whole_of_text(text: str) -> int | None:
    """The int that a text of 1 to 18 digits is; None if it is none. ``str.isdigit`` also takes "²" and "٣".

    Examples
    --------
    >>> whole_of_text("07"), whole_of_text("-1"), whole_of_text("²"), whole_of_text("9" * 5000)
    (7, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None
