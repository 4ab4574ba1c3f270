"""Where each metric is defined: its home, the folder of ``metrologue.scorers`` that has its name.

The folder is the registration: no list names the metrics. A metric's class is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from os import listdir
from os.path import dirname, exists, join
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_HOUSE, _PLACE = __name__.removesuffix(".core.homes"), dirname(dirname(__file__))
# What several metrics share stands in these folders.
_NO_HOMES = ("core", "families")


@cache
def homes() -> tuple[str, ...]:
    """The names of all metrics that have a home, sorted.

    Examples
    --------
    >>> homes()[:3]
    ('accuracy', 'adem', 'apes')
    """
    folders = (name for name in listdir(_PLACE) if exists(join(_PLACE, name, "__init__.py")))
    return tuple(sorted(name for name in folders if name not in _NO_HOMES))


def folder_of(name: str) -> Path:
    """The folder of a metric's home."""
    from pathlib import Path  # slow to import

    return Path(_PLACE, name)


def part_of(name: str, part: str) -> ModuleType | None:
    """A module of a metric's home, such as "training"; None if the home has none, or there is no such metric.

    Examples
    --------
    >>> part_of("bleu", "variants").__name__, part_of("bleu", "training")
    ('metrologue.scorers.bleu.variants', None)
    """
    return _module(f"{_HOUSE}.{name}", part) if name in homes() else None


def part_beside(kind: type, part: str) -> ModuleType | None:
    """The module of that name beside a class, or beside the nearest class from which it is derived; None without one.

    Examples
    --------
    >>> from metrologue.scorers import Meant, WordErrorRate
    >>> part_beside(WordErrorRate, "trace").__name__
    'metrologue.scorers.families.error_rates.trace'
    >>> part_beside(Meant, "trace").__name__
    'metrologue.scorers.yisi.trace'
    """
    return next((module for package in _packages(kind) if (module := _module(package, part))), None)


def texts_beside(kind: type, name: str) -> Iterator[str]:
    """The texts of the files of that name beside a class and those from which it is derived, the nearest first.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> next(texts_beside(Bleu, "formula.tex"))[:11]
    '\\\\text{BLEU}'
    """
    from importlib import resources  # slow to import, and not needed to score

    for package in _packages(kind):
        if (file := resources.files(package) / name).is_file():
            yield file.read_text("utf-8")


def _packages(kind: type) -> Iterator[str]:
    for each in kind.__mro__:
        module = import_module(each.__module__)
        package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
        if package.startswith(_HOUSE.partition(".")[0]):
            yield package


@cache
def _module(package: str, part: str) -> ModuleType | None:
    name = f"{package}.{part}"
    return import_module(name) if find_spec(name) else None


class Registry(MutableMapping[str, type[Any]]):
    """The class of each metric by the metric's name. A class without a home is entered when it is defined."""

    def __init__(self) -> None:
        self._loaded: dict[str, type[Any]] = {}

    def __getitem__(self, name: str) -> type[Any]:
        if name not in self._loaded and name in homes():
            import_module(f"{_HOUSE}.{name}")  # which enters its class here
        return self._loaded[name]

    def loaded(self) -> list[type[Any]]:
        """The classes that have been imported by now."""
        return [*self._loaded.values()]

    def __setitem__(self, name: str, kind: type[Any]) -> None:
        self._loaded[name] = kind

    def enter(self, name: str, kind: type[Any]) -> None:
        """Add a class that was defined. Raises a TypeError if a class of another place has the name.

        The same class defined again, as a cell of a notebook or a reload does it, takes the place of the former.
        """
        former, here = self._loaded.get(name), f"{kind.__module__}.{kind.__qualname__}"
        place = f"{former.__module__}.{former.__qualname__}" if former else here
        if former is None and name in homes() and not f"{kind.__module__}.".startswith(f"{_HOUSE}.{name}."):
            place = f"{_HOUSE}.{name}"
        if place != here:
            raise TypeError(f"{here}: a metric is called {name!r} already, {place}; choose another name.")
        self._loaded[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in homes()

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(homes()), **self._loaded})

    def __len__(self) -> int:
        return len({*homes(), *self._loaded})
