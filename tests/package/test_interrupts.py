"""Ctrl-C in Python: a long call of a scorer ends between two parts of its work, which takes a minute here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.scorers import EditDistance, Rouge
from metrologue.scorers.core import threads as parts
from metrologue.segments import Segments

# A shell that starts a command in the background has it ignore Ctrl-C, so Python's own answer is set here.
LONG = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from metrologue.scorers import EditDistance
from metrologue.scorers.core import threads as parts
parts._MOST_BYTES = 100_000
scorer = EditDistance(insertion_cost=2)
scorer.corpus(["ab"], ["ba"])
print("ready", flush=True)
scorer.corpus(["ab" * 500] * 8_000, ["ba" * 500] * 8_000, threads={threads})
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_is_answered(threads: int) -> None:
    command = [sys.executable, "-c", LONG.format(threads=threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert message.rstrip().endswith(b"KeyboardInterrupt")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("most", [1, 100, 500, 1_000_000])
def test_parts_change_nothing(most: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions = [f"a {i} b {i % 7}" * (i % 5) for i in range(50)]
    references = [[f"a {i % 3} b"] * (1 + i % 3) for i in range(50)]
    whole = EditDistance()._pair_statistics(Segments(predictions, references))
    seen: list[int] = []

    def statistics(segments: Segments) -> np.ndarray:
        seen.append(len(segments))
        return EditDistance()._pair_statistics(segments)

    monkeypatch.setattr(parts, "_MOST_BYTES", most)
    rows = np.concatenate(parts.each_part(statistics, Segments(predictions, references), threads))
    np.testing.assert_array_equal(rows, whole)
    assert sum(seen) == 50
    assert len(seen) == threads if most == 1_000_000 else len(seen) > threads


@pytest.mark.parametrize("most", [1, 1_000_000])
def test_messages_count_from_the_first_part(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MOST_BYTES", most)
    predictions = ["a b"] * 50
    predictions[40] = ""
    with pytest.raises(InputError, match=r"predictions\[40\]"):
        Rouge.variant("rouge").segments(predictions, ["a b"] * 50)
    with pytest.raises(InputError, match=r"`references\[40\]`"):
        Rouge.variant("rouge").segments(["a b"] * 50, predictions, threads=2)
