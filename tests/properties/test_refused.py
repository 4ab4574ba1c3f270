"""What every metric refuses: an input or a model that is missing, too few rows, a value that a field does not take."""

from __future__ import annotations

import math
from typing import Any

import pytest
from layouts import columns_of, sample_of
from needs import WITH_ENCODER, WITH_FRAMES, made

from metrologue.errors import InputError
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.options import Option, options_of

TEXTS = (["the cat sat", "a dog", "b"], [["the cat"], ["a dog ran"], ["c"]])


@pytest.mark.parametrize("name", list_scorers())
def test_an_input_that_is_missing_or_too_short_is_named(name: str) -> None:
    scorer = made(name)
    label, given = type(scorer).__name__, columns_of(name, *sample_of(name, *TEXTS))
    for each in scorer.inputs:
        if not each.required or each.name == "predictions":
            continue
        others = {name: rows for name, rows in given.items() if name != each.name}
        with pytest.raises(InputError, match=rf"^{label}: `{each.name}` (is|are) missing"):
            scorer.corpus(**others)
        with pytest.raises(InputError, match=rf"^{label}: {len(given['predictions'])} predictions but "):
            scorer.corpus(**others, **{each.name: given[each.name][:-1]})


@pytest.mark.parametrize("name", [*WITH_ENCODER, *WITH_FRAMES])
def test_a_model_that_is_missing_is_named(name: str) -> None:
    kind: Any = get_scorer(name)
    with pytest.raises(InputError, match=rf"^{kind.__name__}: (`\w+`|the function) (is|are) missing"):
        kind().corpus(**columns_of(name, *sample_of(name, *TEXTS)))


def beyond(option: Option, default: Any) -> list[Any]:
    """Values that a field says it does not take."""
    if option.one_of and not isinstance(default, bool):
        return [("no such value",) if isinstance(default, tuple) else "no such value"]
    if option.kind == "tokenizer":
        return ["no such tokenizer"]
    if isinstance(default, int | float) and not isinstance(default, bool):
        limits = (option.least, -1), (option.greatest, 1)
        past = [type(default)(limit + sign * max(1, abs(limit))) for limit, sign in limits if limit is not None]
        return [*past, "2", math.nan, *([1.5] if isinstance(default, int) else [])]
    return []


@pytest.mark.parametrize("name", list_scorers())
def test_a_value_that_a_field_does_not_take_is_named(name: str) -> None:
    kind: Any = get_scorer(name)
    default = kind()
    for field, option in options_of(kind).items():
        for value in beyond(option, getattr(default, field)):
            with pytest.raises(InputError, match=rf"^{kind.__name__}: `{field}`( is |: tokenizer .* is unknown)"):
                kind(**{field: value})
