"""Tokenizers given as functions: found by a name of their own, also where two functions share one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from metrologue import InputError
from metrologue.scorers import Bleu
from metrologue.text.tokenizers.registry import named_tokenizer


def cut_at(separator: str) -> Callable[[str], list[str]]:
    return lambda text: text.split(separator)


def unigrams(tokenizer: Callable[[str], list[str]]) -> float | int:
    with named_tokenizer(tokenizer) as name:
        return Bleu(tokenizer=name, max_order=1).corpus(["a-b c-d"], ["a-b c"]).scores["count_1"]


def test_a_name_is_left_as_it_is() -> None:
    for tokenizer in ("13a", None):
        with named_tokenizer(tokenizer) as name:
            assert name == tokenizer


@pytest.mark.parametrize("tokenizer", [str.split, cut_at(" "), partial(str.split, sep=" "), "x".__class__.split])
def test_any_callable_has_a_name(tokenizer: Callable[[str], list[str]]) -> None:
    assert unigrams(tokenizer) == 2


def test_functions_of_one_name_do_not_mix() -> None:
    separators = [" ", "-"] * 50
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda separator: unigrams(cut_at(separator)), separators))
    assert counts == [2, 3] * 50


def test_a_function_that_gives_no_list_of_strings_is_refused() -> None:
    for wrong in (str.upper, lambda text: [len(text)]):
        with pytest.raises(InputError, match="must give a list of str"):
            unigrams(wrong)
