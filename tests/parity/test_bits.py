"""How many segments of real text have the library's numbers to the last bit, as ``bits.toml`` says for each variant.

Ranks depend on the last bit: two segments that tie in one program and not in the other have other ranks. A library that
computes in 32 bits, or prints decimals, is compared in 32 bits, or as it prints.
"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared
from layouts import SAMPLES
from parity.real_text import real_text
from parity.test_contract import CONTRACTS, Contract, cases, contract
from strategies import Corpus

__all__ = ["contract"]  # the fixture

Numbers = dict[str, float]

BITS = tomllib.loads(Path(__file__).with_name("bits.toml").read_text("utf-8"))
# Segments of each corpus, and the corpora whose texts are short.
FEW, MANY = 5, BITS["segments_of_each_corpus"]
SHORT = ("dialogue", "captions")
# A metric of sets of texts: each corpus is one.
OF_SETS = ("self_bleu",)


@dataclass(frozen=True)
class Expected:
    """What the table says of a variant.

    Attributes
    ----------
    least : int or None
        So many of the segments, of all corpora together, must be equal. None: all of them.
    number : str or None
        The number that is compared. None: all that the library gives.
    without : tuple of str
        The numbers that are left out.
    until : str or None
        With a newer Python than this one, the library's own numbers have other bits.
    why : str
        What cannot be followed.
    """

    least: int | None = None
    number: str | None = None
    without: tuple[str, ...] = ()
    until: str | None = None
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether the table speaks of this Python."""
        return self.until is None or sys.version_info[:2] <= tuple(map(int, self.until.split(".")))

    def keys(self, theirs: Numbers, ours: Numbers) -> list[str]:
        chosen = [*theirs] if self.number is None else [self.number]
        return [key for key in chosen if key in ours and key not in self.without]


@cache
def expected(name: str) -> Expected:
    entry: Any = BITS["variants"][name]
    return (
        Expected() if entry == "all" else Expected(**{k: tuple(v) if k == "without" else v for k, v in entry.items()})
    )


def of_text(each: Contract) -> bool:
    return each.variant.live is not None and each.metric not in SAMPLES


def test_the_table_has_every_variant_with_a_live_call() -> None:
    assert [*BITS["variants"]] == sorted(str(each) for each in CONTRACTS if of_text(each))


def test_whatever_is_not_equal_everywhere_has_a_reason() -> None:
    entries = [expected(name) for name in BITS["variants"]]
    assert all(bool(each.why) == (each != Expected()) for each in entries)


@pytest.mark.parametrize(
    "contract", cases(lambda each: of_text(each) and expected(str(each)).least is None), indirect=True
)
def test_a_few_segments_are_equal_to_the_bit(contract: Contract, shared_data: Path) -> None:
    if not expected(str(contract)).holds:
        pytest.skip(expected(str(contract)).why)
    corpora = real_text(shared_data, FEW)
    unequal, count = unequal_segments(contract, {name: corpora[name] for name in SHORT})
    assert unequal == []
    assert count


@pytest.mark.slow
@pytest.mark.parametrize("contract", cases(of_text), indirect=True)
def test_as_many_segments_are_equal_to_the_bit_as_the_table_says(contract: Contract, shared_data: Path) -> None:
    unequal, count = unequal_segments(contract, real_text(shared_data, MANY))
    least = expected(str(contract)).least if expected(str(contract)).holds else 0
    assert count - len(unequal) >= (count if least is None else least), unequal[:3]


def unequal_segments(contract: Contract, corpora: dict[str, Corpus]) -> tuple[list[str], int]:
    """The segments that have another number, in words, and how many segments there are."""
    unequal, segments = [], 0
    for name, corpus in corpora.items():
        for index, (own, theirs) in enumerate(both(contract, *contract.corpus(corpus))):
            keys = [key for key in expected(str(contract)).keys(theirs, own) if contract.is_told((key, theirs[key]))]
            wrong = {key: (own[key], theirs[key]) for key in keys if not equal(contract, own[key], theirs[key])}
            segments += 1
            compared(len(keys), sum(own[key] == theirs[key] for key in keys))
            if wrong:
                unequal.append(f"{name} {index}: {wrong}")
    return unequal, segments


def both(contract: Contract, predictions: list[str], references: list[list[str]]) -> list[tuple[Numbers, Numbers]]:
    """Our numbers and the library's, of each segment that the library has numbers for."""
    scorer, options = contract.scorer({}), {**contract.variant.options}
    if contract.metric in OF_SETS:
        theirs = contract.live(options, predictions, references)
        return [] if theirs is None else [(dict(scorer.corpus(predictions, references).scores), theirs)]
    rows = contract.live_rows(options, predictions, references)
    told = [(index, row) for index, row in enumerate(rows) if row is not None]
    ours = contract.our_rows(scorer, [predictions[i] for i, _ in told], [references[i] for i, _ in told])
    return [*zip(ours, (row for _, row in told), strict=True)]


def equal(contract: Contract, ours: float, theirs: float) -> bool:
    """Whether two numbers are equal in the precision of the library."""
    digits = contract.scorer({})._printed_digits
    if digits is not None:
        return f"{ours:.{digits}f}" == f"{theirs:.{digits}f}"
    single = contract.library.resolution > 1e-11
    return bool(np.float32(ours) == np.float32(theirs)) if single else ours == theirs
