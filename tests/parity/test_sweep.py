"""The sweep: as many numbers as its minutes allow against the live libraries; each variant has an equal share of them.

    python -m pytest -m slow tests/parity/test_sweep.py -k bleu-nltk --minutes 1 --seed 20261127

Texts and options are drawn by the seed, the same ones in the same order on every machine. A faster one goes further.
"""

from __future__ import annotations

import os
import random
from functools import cache
from itertools import count
from time import monotonic

import pytest
from budgets import PARTS
from hypothesis import Phase, given, settings
from layouts import SAMPLES
from parity.options import Options
from parity.test_contract import CONTRACTS, Contract, cases, contract
from strategies import BLANKS, Corpus

__all__ = ["contract"]  # the fixture

# The share of the minutes in which numbers are compared: libraries are imported, and the last chunks end after them.
SHARE = 0.85
CALLS = 40  # the options that are drawn for a variant, which its chunks take in turn
SWEPT = [each for each in CONTRACTS if each.variant.live and not each.runs_a_program and each.metric not in SAMPLES]
WORDS = [
    "the", "a", "of", "The", "cat", "cats", "sat", "running", "Mr.", "U.S.", "don't", "1,000.5", "naïve", "e-mail",
    "&amp;", "日本語", "Ünï", "🙂", "x", "y", "-", ".", ",", "?", "\"", "'s", "(", ")", "word", "words", "worded",
    "I", "İ", "ß", "",
]  # fmt: skip


def pairs(each: Contract) -> int:
    """How many pairs a chunk has. Of Self-BLEU, a segment is compared with all others."""
    return 12 if each.metric == "self_bleu" else 500


@cache
def drawn(each: Contract) -> list[tuple[Options, Options]]:
    """Options of the library with ours, the first of which are its defaults."""
    found: list[tuple[Options, Options]] = [({}, {})]
    if (calls := each.peer.calls) is not None:

        @settings(max_examples=CALLS, database=None, phases=(Phase.generate,))
        @given(call=calls)
        def collect(call: tuple[Options, Options]) -> None:
            found.append(call)

        collect()
    return found


def texts(seed: str, size: int) -> Corpus:
    """So many pairs of texts, half of whose words are the reference's, with one to three references."""
    draws = random.Random(seed)

    def text(source: list[str]) -> str:
        blank = " " if draws.random() < 0.9 else draws.choice(BLANKS)
        return blank.join(draws.choices(source, k=draws.randrange(12)))

    predictions, references = [], []
    for _ in range(size):
        own = draws.choices(WORDS, k=8)
        predictions.append(text(own))
        references.append([text(own if draws.random() < 0.8 else WORDS) for _ in range(draws.choice((1, 1, 2, 3)))])
    return predictions, references


@pytest.mark.slow
@pytest.mark.parametrize("contract", cases(lambda each: each in SWEPT), indirect=True)
def test_sweep(contract: Contract, request: pytest.FixtureRequest) -> None:
    option = request.config.option
    seed, minutes = option.seed or 0, PARTS["sweep"] if option.minutes is None else option.minutes
    mine = sum(_is_swept(item) for item in request.session.items)
    end = monotonic() + SHARE * 60 * minutes * int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) / mine
    calls = drawn(contract)
    for chunk in count():
        contract.check(calls[chunk % len(calls)], texts(f"{seed} {chunk}", pairs(contract)))
        if monotonic() > end:
            break


def _is_swept(item: pytest.Item) -> bool:
    return getattr(item, "originalname", None) == test_sweep.__name__


def test_texts_are_those_of_their_seed() -> None:
    assert texts("1 2", 20) == texts("1 2", 20)
    assert texts("1 2", 20) != texts("1 3", 20)
    predictions, references = texts("1 2", 20)
    assert len(predictions) == len(references) == 20
    assert {*map(len, references)} == {1, 2, 3}
