"""Reading ahead: the items and errors are those of the stream, and nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.cli.ahead import reading_ahead


def threads() -> int:
    return sum(thread.name == "reading ahead" for thread in threading.enumerate())


@given(st.lists(st.none() | st.integers()))
def test_all_items_in_order(items: list[int | None]) -> None:
    with reading_ahead(item for item in items) as found:
        assert [*found] == items
        assert [*found] == []
    assert threads() == 0


def test_one_item_is_made_ahead() -> None:
    """While an item is used the next one is made, and no other."""
    made: list[int] = []

    def items() -> Generator[int, None, None]:
        for number in range(5):
            made.append(number)
            yield number

    with reading_ahead(items()) as found:
        for number in found:
            while made[-1] < min(number + 1, 4):
                time.sleep(0.001)
            time.sleep(0.01)  # for one more, if there were one
            assert made == [*range(min(number + 2, 5))]


def test_an_error_comes_in_its_place() -> None:
    def items() -> Generator[int, None, None]:
        yield 1
        raise ValueError("the second one")

    with reading_ahead(items()) as found:
        assert next(found) == 1
        with pytest.raises(ValueError, match="the second one"):
            next(found)
    assert threads() == 0


def test_an_early_end_closes_the_stream() -> None:
    closed = threading.Event()

    def items() -> Generator[int, None, None]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    def interrupted() -> None:
        with reading_ahead(items()) as found:
            next(found)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert closed.is_set()
    assert threads() == 0


def test_a_stream_that_waits_for_input_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrologue.cli.ahead._PATIENCE", 0.05)
    more = threading.Event()

    def items() -> Generator[int, None, None]:
        yield 1
        more.wait()

    with reading_ahead(items()) as found:
        next(found)
    assert threads() == 1  # it still waits
    more.set()
    while threads():
        time.sleep(0.001)


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from metrologue.cli.ahead import reading_ahead
from metrologue.files.lines import Column
from metrologue.files.parts import stream_parts
with reading_ahead(stream_parts([Column(sys.argv[1])], [])) as chunks:
    print("ready", flush=True)
    print(len([*chunks]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_an_interrupt_while_a_pipe_gives_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    writer = os.open(tmp_path / "fifo", os.O_RDWR)  # so that opening it to read does not wait
    try:
        command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "fifo")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                assert process.stdout
                assert process.stdout.readline() == b"ready\n"
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                output, message = process.communicate(timeout=30)
            finally:
                process.kill()
    finally:
        os.close(writer)
    assert output == b""
    assert message.rstrip().endswith(b"KeyboardInterrupt")
    assert process.returncode in (1, 130, -signal.SIGINT)
