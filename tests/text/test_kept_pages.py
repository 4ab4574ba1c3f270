"""What slow steps made of texts is kept, and given for equal texts only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from metrologue.data.strings import Strings
from metrologue.text.reading import Lower, Tokenize, kept
from metrologue.text.reading.kept import keeping_pages
from metrologue.text.reading.pages import Page, Step
from metrologue.text.reading.steps import read

calls: list[int] = []


@dataclass(frozen=True)
class Counted(Step):
    """A step that changes nothing, and counts its calls."""

    number: int

    def __call__(self, page: Page) -> Page:
        calls.append(self.number)
        return page


@pytest.fixture(autouse=True)
def _every_step_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_SLOW", math.inf)


def test_a_slow_step_is_done_once_for_equal_texts() -> None:
    texts, others = Strings.of(["A cat", "a dog"]), Strings.of(["A cat", "a cow"])
    readings = [(Counted(1), Tokenize("13a")), (Counted(1), Lower(), Tokenize("13a")), (Counted(2), Tokenize("13a"))]
    expected = [read(each, reading)[0].lists() for each in (texts, others) for reading in readings]
    calls.clear()
    with keeping_pages(1 << 20):
        for _ in range(2):
            assert [read(each, reading)[0].lists() for each in (texts, others) for reading in readings] == expected
        assert calls == [1, 2, 1, 2]
    read(texts, readings[0])
    assert calls[4:] == [1]


def test_no_more_is_kept_than_was_asked_for() -> None:
    calls.clear()
    with keeping_pages(0):
        for _ in range(2):
            read(Strings.of(["a cat"]), (Counted(1), Tokenize("13a")))
    assert calls == [1, 1]
