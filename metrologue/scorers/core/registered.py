"""The classes of the metrics by name. A metric of this package is imported when its class is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

from metrologue.scorers.rooms import ROOMS

__all__ = ["Registered"]


class Registered(MutableMapping[str, type[Any]]):
    """The class of each metric of this package, and of each metric of your own that is defined.

    Examples
    --------
    >>> Registered()["bleu"].__name__, "x" in Registered()
    ('Bleu', False)
    """

    def __init__(self) -> None:
        self._classes: dict[str, type[Any]] = {}

    def __getitem__(self, name: str) -> type[Any]:
        if name not in self._classes:
            room, kind = ROOMS[name]
            return getattr(import_module(f"metrologue.scorers.{room}"), kind)  # type: ignore[no-any-return]
        return self._classes[name]

    def __setitem__(self, name: str, kind: type[Any]) -> None:
        self._classes[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._classes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._classes or name in ROOMS

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes | ROOMS)

    def __len__(self) -> int:
        return len(self._classes | ROOMS)
