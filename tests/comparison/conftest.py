"""Comparisons run the libraries in this process, unless a test asks for others: a process imports them once."""

import pytest


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrologue.comparison.harness.usual_processes", lambda: 0)
