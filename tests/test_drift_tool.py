"""`make drift`: what it says of numbers that changed, and the page that is made of it."""

from __future__ import annotations

from typing import Any

from docs import versions
from tools.drift.__main__ import changes, mirrored, told

OLD = {"0 0 bleu": (0.5).hex(), "0 1 bleu": (0.25).hex(), "1 0 ": "fails", "1 1 bleu": (1.0).hex()}


def test_a_number_that_changed_is_listed_and_a_last_bit_is_counted() -> None:
    new = {**OLD, "0 0 bleu": (0.75).hex(), "1 1 bleu": (1.0 + 2**-52).hex()}
    found = changes(OLD, new)
    assert found == {"numbers": 4, "other_bits": 2, "changed": 1, "example": ["0 0 bleu", "0.5", "0.75"]}
    entry = {"present": "1.0", "newest": "2.0", "variants": {"bleu-nltk": found}}
    assert told("nltk", entry).splitlines() == [
        "nltk: 1.0 -> 2.0",
        "  bleu-nltk: 1 of 4 numbers changed, 1 more in the last bits",
        "    0 0 bleu: 0.5 -> 0.75",
    ]


def test_a_call_that_fails_now_or_no_longer_is_a_change() -> None:
    assert changes(OLD, {**OLD, "1 1 bleu": "fails"})["example"] == ["1 1 bleu", "1.0", "fails"]
    without = {key: value for key, value in OLD.items() if key != "1 0 "}
    assert changes(OLD, without)["example"] == ["1 0 ", "fails", "nothing"]
    assert changes(OLD, {"all": "fails: no such module"})["changed"] == 5


def test_every_library_with_a_live_call_is_looked_at() -> None:
    assert {"nltk", "sacrebleu", "jiwer", "torchmetrics", "evaluate"} <= mirrored().keys()
    assert mirrored()["rouge_score"] == "rouge-score"


def test_the_page_says_what_changed() -> None:
    entry: dict[str, Any] = {"present": "3.9", "newest": "4.0", "checked": "2026-11-23"}
    entry["variants"] = {"bleu-nltk": {"numbers": 9, "other_bits": 3, "changed": 1, "example": ["k", "1", "2"]}}
    row = versions._row("bleu", "nltk", "nltk", "3.9", "nltk", {"nltk": entry})
    assert row[1:] == ["nltk 3.9", "yes", "4.0", "2026-11-23", "1 of 9, and 2 by their last bits"]
    same = versions._row("bleu", "nltk", "nltk", "3.9", "nltk", {"nltk": {**entry, "newest": "3.9"}})
    assert same[-1] == "the same version"
    assert versions._row("bleu", "nltk", "nltk", "3.9", "nltk", {})[-2] == "not yet"
