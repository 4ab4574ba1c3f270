"""Packages that tests compare with, imported when a test uses them: collecting the tests would take twice as long."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

__all__ = ["imported_later"]


class _Later:
    """A module that is imported when something of it is asked for, or changed."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(importlib.import_module(self._name), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(importlib.import_module(self._name), name)


def imported_later(name: str, reason: str = "") -> Any:
    """The module; where its package is not installed, the tests of the file are skipped, as by ``importorskip``."""
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        pytest.skip(reason or f"{package} is not installed", allow_module_level=True)
    return _Later(name)
