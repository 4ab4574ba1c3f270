"""The log-probabilities of tokens, from numbers, from lines of numbers or from a language model."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.data.arrow import pa
from metrologue.data.columns import Numbers
from metrologue.errors import InputError, shown
from metrologue.language_models.base import TokenScores
from metrologue.language_models.named import NamedModel
from metrologue.segments import Segments
from metrologue.text.reading import words

# The names of the columns of flags.
MASK, UNKNOWN = "mask", "unknown"

# What lines have.
_LINES = "numbers separated by whitespace are expected, or a `model` that reads texts."

# A probability that is this little above 1, or a logarithm this little above 0, is a rounding error of the model.
_TOLERANCE = 1e-6


def log_probabilities(segments: Segments, values: str, model: NamedModel | None, owner: str) -> TokenScores:
    """The log-probabilities of all tokens that count.

    Raises an InputError if a number is no probability, or the flags of a text are not one for each of its tokens.

    Parameters
    ----------
    segments : Segments
        Predictions that are numbers, lines of numbers, or texts for the model. The columns "mask" and "unknown" hold a
        0 or a 1 for each token, if they are there.
    values : str
        "probabilities" or "log-probabilities": what the numbers are.
    model : NamedModel or None
    owner : str
        The caller's name for messages.

    Returns
    -------
    TokenScores
        To the base of the numbers or of the model; to the base 2 for probabilities.
    """
    if model is not None:
        if UNKNOWN in segments.columns:
            raise InputError(f"{owner}: `{UNKNOWN}` is given with a `model`, which knows its own vocabulary; drop it.")
        if isinstance(segments.predictions, Numbers):
            raise InputError(f"{owner}: `predictions` are numbers; with a `model`, texts are expected.")
        return _kept(segments, _of_model(segments, model, owner), owner)
    if isinstance(segments.predictions, Numbers):
        numbers, offsets = segments.predictions.values, segments.predictions.offsets
    else:
        numbers, offsets = parse_lines(segments, owner)
    unknown = _flags(segments, UNKNOWN, offsets, owner)
    given = TokenScores(
        log_probabilities=numbers,
        offsets=offsets,
        unknown=np.zeros(len(numbers), np.bool_) if unknown is None else unknown,
    )
    scores = _kept(segments, given, owner, check=values)
    if values == "log-probabilities":
        return replace(scores, log_probabilities=np.minimum(scores.log_probabilities, 0.0))
    with np.errstate(divide="ignore"):
        return replace(scores, log_probabilities=np.log2(np.minimum(scores.log_probabilities, 1.0)))


def _of_model(segments: Segments, model: NamedModel, owner: str) -> TokenScores:
    """What the model gives. A model may be anybody's, so the layout is checked. Its errors name the predictions."""
    try:
        given = model.model.score_texts(segments.texts())
    except InputError as error:
        if error.place is None:
            raise
        _, text, what = error.place
        raise InputError.at(owner, "predictions", segments.first + text, what) from error
    logs = np.ascontiguousarray(given.log_probabilities, np.float64)
    offsets = np.ascontiguousarray(given.offsets, np.int64)
    unknown = np.ascontiguousarray(given.unknown, np.bool_)
    fits = len(offsets) == len(segments) + 1 and offsets[0] == 0 and (np.diff(offsets) >= 0).all()
    if not fits or not len(logs) == len(unknown) == offsets[-1]:
        raise InputError(
            f"{owner}: the model {model} gives {len(logs)} log-probabilities, {len(unknown)} flags and {len(offsets)} "
            f"offsets for {len(segments)} texts; see metrologue.language_models.TokenScores."
        )
    return TokenScores(log_probabilities=logs, offsets=offsets, unknown=unknown)


def _kept(segments: Segments, scores: TokenScores, owner: str, check: str | None = None) -> TokenScores:
    """The tokens that are not masked out. Their numbers are checked to be what they should be."""
    mask = _flags(segments, MASK, scores.offsets, owner)
    numbers = scores.log_probabilities
    wrong = np.isnan(numbers)
    if check == "probabilities":
        wrong |= (numbers < 0) | (numbers > 1 + _TOLERANCE)
    elif check:
        wrong |= numbers > _TOLERANCE
    if mask is not None:
        wrong &= mask
    if wrong.any():
        token = int(np.flatnonzero(wrong)[0])
        text, index = _place(scores.offsets, token)
        what = f" has {numbers[token]:.10g} at index {index}; {_EXPECTED.get(check or '', 'a number')} is expected."
        raise InputError.at(owner, "predictions", segments.first + text, what)
    if mask is None:
        return scores
    kept = np.concatenate([[0], np.cumsum(mask)])
    return TokenScores(log_probabilities=numbers[mask], offsets=kept[scores.offsets], unknown=scores.unknown[mask])


_EXPECTED = {
    "probabilities": "a probability from 0 to 1 (or values='log-probabilities')",
    "log-probabilities": "a log-probability of at most 0 (or values='probabilities')",
}


def _place(offsets: Integers, token: int) -> tuple[int, int]:
    """The text of a token, and its index in the text."""
    text = int(np.searchsorted(offsets, token, "right")) - 1
    return text, token - int(offsets[text])


def _flags(segments: Segments, name: str, offsets: Integers, owner: str) -> Flags | None:
    """The flags of all tokens; None if there are none. They are checked against the number of tokens of each text."""
    column = segments.columns.get(name)
    if column is None:
        return None
    if not isinstance(column, Numbers):
        raise InputError(f"{owner}: `{name}` holds texts; lists of 0 and 1 are expected.")
    ours, theirs = np.diff(column.offsets), np.diff(offsets)
    if (differing := np.flatnonzero(ours != theirs)).size:
        at = int(differing[0])
        what = f" has {ours[at]} items, but there are {theirs[at]} tokens."
        raise InputError.at(owner, name, segments.first + at, what)
    wrong = (column.values != 0) & (column.values != 1)
    if wrong.any():
        token = int(np.flatnonzero(wrong)[0])
        text, index = _place(offsets, token)
        what = f" has {column.values[token]:.10g} at index {index}; 0 or 1 is expected."
        raise InputError.at(owner, name, segments.first + text, what)
    flags: Flags = column.values == 1
    return flags


def lengths(segments: Segments, per: str, model: NamedModel | None, owner: str) -> Integers:
    """The number of words, characters or bytes of each text, (n,).

    Raises an InputError if the log-probabilities are not those of whole texts.
    """
    import pyarrow.compute as pc

    if model is None:
        raise InputError(f"{owner}: `per` is {per!r}, which needs a `model` that reads texts.")
    if MASK in segments.columns:
        raise InputError(f"{owner}: `per` is {per!r}, which is for whole texts; drop the `{MASK}`.")
    if getattr(model.model, "cuts_texts", False):
        raise InputError(f"{owner}: `per` is {per!r}, but `max_length` cuts texts off; give the model a `stride` too.")
    if per == "word":
        view = segments.read(words("whitespace"))
        return np.diff(view.offsets)[: len(segments)]
    count = pc.utf8_length if per == "character" else pc.binary_length
    return np.asarray(count(segments.texts()), np.int64)


def parse_lines(segments: Segments, owner: str, expected: str = _LINES) -> tuple[Floats, Integers]:
    """The numbers in lines of text, separated by whitespace, and the offsets (n + 1,) of the lines.

    Raises an InputError if something is not a number. The message names the index and the column.

    Examples
    --------
    >>> parse_lines(Segments(["0.5 0.25", "", "1"]), "Perplexity")
    (array([0.5 , 0.25, 1.  ]), array([0, 2, 2, 3]))
    """
    import pyarrow.compute as pc  # slow to import, and not needed for lists of numbers

    lists = pc.ascii_split_whitespace(segments.texts())
    items, limits = lists.flatten(), np.from_dlpack(lists.offsets) - lists.offsets[0].as_py()
    filled = pc.binary_length(items).to_numpy(zero_copy_only=False) > 0  # there are empty items around whitespace
    items = items.filter(pa.array(filled))
    offsets = np.concatenate([[0], np.cumsum(filled)])[limits]
    try:
        return items.cast(pa.float64()).to_numpy(), offsets
    except pa.ArrowInvalid:
        item = bisect_left(range(len(items)), True, key=lambda last: not _are_numbers(items[: last + 1]))
    line = int(np.searchsorted(offsets, item, "right")) - 1
    text = segments.texts()[line].as_py()
    column = _column(text, item - int(offsets[line]))
    what = f", column {column}: {shown(items[item].as_py())} is not a number; {expected}"
    raise InputError.at(owner, "predictions", segments.first + line, what)


def _are_numbers(items: pa.Array) -> bool:
    try:
        items.cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def _column(text: str, item: int) -> int:
    """The column, counted from 1, at which an item of a text begins."""
    import re

    starts = [match.start() for match in re.finditer(r"[^\t\n\v\f\r ]+", text)]
    return starts[item] + 1


def base_of(name: str) -> float:
    """The base of logarithms that a field names."""
    return math.e if name == "e" else float(name)


def base_name(value: Any) -> str:
    """The name of a base of logarithms, which is given as its name or as a number above 1.

    Raises
    ------
    TypeError, ValueError, OverflowError
        If it is neither.

    Examples
    --------
    >>> base_name(2), base_name("10.0"), base_name(math.e)
    ('2', '10', 'e')
    """
    if not isinstance(value, (str, Real)) or isinstance(value, bool):
        raise TypeError
    base = base_of(str.__str__(value)) if isinstance(value, str) else float(value)
    if not 1 < base < math.inf:
        raise ValueError
    return "e" if base == math.e else repr(base).removesuffix(".0")
