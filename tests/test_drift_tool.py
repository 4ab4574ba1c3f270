"""`make drift`: what it says of numbers that changed, and the page that is made of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from docs import versions
from tools.drift.__main__ import OLDER, changes, mirrored, numbers, told

TEXTS = [["a b"], [["a c"]]]


def calls(*rows: list[dict[str, float] | None], why: str = "") -> dict[str, Any]:
    """What is measured of a variant: the first call has the variant's own options, the others have some."""
    bits = [[row and {name: value.hex() for name, value in row.items()} for row in call] for call in rows]
    options: list[dict[str, int]] = [{"max_order": n} if n else {} for n in range(len(rows))]
    return {
        "calls": [
            {"texts": TEXTS, "options": options[n], "rows": row, "why": f"{why} {n}"} for n, row in enumerate(bits)
        ]
    }


OLD = calls([{"bleu": 0.5, "bp": 1.0}, None], [{"bleu": 0.25}, {"bleu": 1.0}])


def test_a_number_that_changed_is_listed_and_a_last_bit_is_counted() -> None:
    new = calls([{"bleu": 0.75, "bp": 1.0 + 2**-52}, {"bleu": 1.0}], [{"bleu": 0.25}, None], why="ValueError: empty")
    found = changes(OLD, new)
    assert found["default"] == {"numbers": 2, "bits": 2, "changed": 1, "lost": 0, "gained": 1}
    assert found["options"] == {"numbers": 1, "bits": 0, "changed": 0, "lost": 1, "gained": 0}
    assert found["example"] == {"name": "bleu", "options": {}, "numbers": [0.5, 0.75]}
    entry = {"present": "1.0", "other": "2.0", "variants": {"bleu-nltk": found}}
    assert told("nltk", entry).splitlines() == [
        "nltk: 1.0 -> 2.0",
        "  bleu-nltk: 1 of 3 numbers changed, 1 more in the last bits, 1 are not there, 1 are new",
        "    bleu: 0.5 -> 0.75",
        "    ValueError: empty 1",  # of the call that lost a number
    ]


def test_a_function_that_a_version_does_not_have_gives_no_number() -> None:
    found = changes(OLD, {"calls": [], "why": "ImportError: no such module"})
    assert (found["default"]["lost"], found["options"]["lost"], found["why"]) == (2, 2, "ImportError: no such module")
    assert found["default"]["numbers"] == 0


def test_what_has_not_changed_is_not_listed() -> None:
    found = changes(OLD, OLD)
    assert found["example"] is None
    assert found["default"] == {"numbers": 2, "bits": 0, "changed": 0, "lost": 0, "gained": 0}


def test_every_library_with_a_live_call_is_looked_at() -> None:
    assert {"nltk", "sacrebleu", "jiwer", "torchmetrics", "evaluate"} <= mirrored().keys()
    assert mirrored()["rouge_score"] == "rouge-score"
    assert OLDER.keys() <= mirrored().keys()


PATCH = """
import jiwer
process_words = jiwer.process_words
def patched(references, hypotheses):
    found = process_words(references, hypotheses)
    found.wer += 1 / 1024
    return found
jiwer.process_words = patched
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the other interpreter is a shell script")
def test_a_library_with_another_number_is_noticed(tmp_path: Path) -> None:
    """The two interpreters differ by one addition to one number of jiwer, which is all that is told."""
    pytest.importorskip("jiwer", reason="jiwer is not installed: pip install 'metrologue[compare]'")
    (tmp_path / "sitecustomize.py").write_text(PATCH, "utf-8")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec {sys.executable} "$@"\n', "utf-8")
    python.chmod(0o755)
    own, patched = (numbers(each, "jiwer", 2, tmp_path) for each in (sys.executable, python))
    found = {name: changes(each, patched[name]) for name, each in own.items()}
    assert {"wer-jiwer", "cer-jiwer", "mer-jiwer"} <= found.keys()
    counts = {name: each["default"] for name, each in found.items()}
    assert counts["cer-jiwer"]["changed"] == counts["cer-jiwer"]["bits"] == 0 < counts["cer-jiwer"]["numbers"]
    before, after = found["wer-jiwer"]["example"]["numbers"]
    assert after == before + 1 / 1024
    rows = sum(row is not None for call in own["wer-jiwer"]["calls"] for row in call["rows"])
    for name in ("wer-jiwer", "mer-jiwer"):
        assert counts[name]["changed"] == rows > 0
        assert counts[name]["lost"] == counts[name]["gained"] == 0


def test_the_page_says_what_changed() -> None:
    found = changes(OLD, calls([{"bleu": 0.75, "bp": 1.0}, None], [{"bleu": 0.25}, {"bleu": 1.0}]))
    entry: dict[str, Any] = {
        "present": "3.9",
        "other": "4.0",
        "checked": "2026-11-23",
        "variants": {"bleu-nltk": found},
    }
    row = versions._variant("bleu", "nltk", "nltk", "3.9", "nltk", {"nltk": {"newest": entry, "older": {}}})
    assert row[1:] == ["nltk 3.9", "yes", "4.0", "2026-11-23", "1 of 4"]
    same = versions._variant("bleu", "nltk", "nltk", "3.9", "nltk", {"nltk": {"newest": {**entry, "other": "3.9"}}})
    assert same[-1] == "the same version"
    assert versions._variant("bleu", "nltk", "nltk", "3.9", "nltk", {})[-2] == "not yet"
    older = {**entry, "variants": {"bleu-nltk": found, "chrf-nltk": changes(OLD, OLD)}}
    assert [*versions._version("3.8", older)] == [
        ["3.8", "`bleu` `nltk`", "1 of 2 changed", "the same", "bleu: 0.75, 0.5"],
        ["3.8", "`chrf` `nltk`", "the same", "the same", ""],
    ]
    [[*_, said]] = versions._version("1", {"reason": "no | wheel"})
    assert said == "It cannot be compared: no \\| wheel"
