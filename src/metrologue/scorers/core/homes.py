"""Where each metric is defined: its home, a folder of ``metrologue.scorers`` that has its name, or one of a package.

The folder is the registration: no list names the metrics. Another package names its homes as entry points (see
``packages``). A metric's class is imported when it is first asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from os import listdir
from os.path import dirname, exists, join
from types import ModuleType
from typing import TYPE_CHECKING, Any

from metrologue.errors import InputError, shown
from metrologue.scorers.core import packages

if TYPE_CHECKING:
    from pathlib import Path

_HOUSE, _PLACE = __name__.removesuffix(".core.homes"), dirname(dirname(__file__))
# What several metrics share stands in these folders.
_NO_HOMES = ("core", "families")


@cache
def own_homes() -> tuple[str, ...]:
    """The names of the metrics that have a home in this package, sorted.

    Examples
    --------
    >>> own_homes()[:3]
    ('accuracy', 'bartscore', 'bertscore')
    """
    folders = (name for name in listdir(_PLACE) if exists(join(_PLACE, name, "__init__.py")))
    return tuple(sorted(name for name in folders if name not in _NO_HOMES))


def homes() -> tuple[str, ...]:
    """The names of all metrics that have a home here or in another package, sorted.

    Examples
    --------
    >>> {*own_homes()} <= {*homes()}
    True
    """
    return tuple(sorted({*own_homes(), *packages.all_usable(own_homes())}))


def has_home(name: str) -> bool:
    """Whether a metric has a home. Other packages are asked for a name that is not ours.

    Examples
    --------
    >>> has_home("bleu"), has_home("no_metric")
    (True, False)
    """
    return name in own_homes() or _outside(name) is not None


def _outside(name: str) -> packages.Brought | None:
    return packages.package_with(name, own_homes())


def package_of_home(name: str) -> str:
    """The package that is a metric's home; "" if there is no such metric, or its module lies in no package.

    Examples
    --------
    >>> package_of_home("bleu")
    'metrologue.scorers.bleu'
    """
    if name in own_homes():
        return f"{_HOUSE}.{name}"
    brought = _outside(name)
    return _package(import_module(brought.module)) if brought and packages.class_in(brought) else ""


def folder_of(name: str) -> Path:
    """The folder of a metric's home. Raises an InputError if the metric has none."""
    from pathlib import Path  # slow to import

    if name in own_homes():
        return Path(_PLACE, name)
    package = package_of_home(name)
    if not package:
        raise InputError(f"the metric {shown(name)} has no home: no package has its module")
    return Path(import_module(package).__path__[0])


def file_in_home(name: str, file: str) -> Path | None:
    """A file of a metric's home, such as formula.tex; None if it has none.

    Examples
    --------
    >>> file_in_home("bleu", "formula.tex").name, file_in_home("bleu", "none.tex")
    ('formula.tex', None)
    """
    place = folder_of(name) / file if package_of_home(name) else None
    return place if place and place.is_file() else None


def module_folder(name: str) -> Path | None:
    """The folder of a metric's module for ``evaluate``, with its card and its page; None if there is none.

    It is ``metrics/NAME`` in this package, or in the outermost package that the metric's home is in.

    Examples
    --------
    >>> module_folder("bleu").name
    'bleu'
    """
    from pathlib import Path  # slow to import

    tops = [_HOUSE.partition(".")[0]]
    if name not in own_homes() and (brought := _outside(name)):
        tops += [brought.module.partition(".")[0]]
    for top in tops:
        for place in getattr(import_module(top), "__path__", ()):
            if Path(place, "metrics", name, f"{name}.py").is_file():
                return Path(place, "metrics", name)
    return None


def part_of(name: str, part: str) -> ModuleType | None:
    """A module of a metric's home, such as "training"; None if the home has none, or there is no such metric.

    Examples
    --------
    >>> part_of("bleu", "variants").__name__, part_of("bleu", "training")
    ('metrologue.scorers.bleu.variants', None)
    """
    package = package_of_home(name)
    return _module(package, part) if package else None


def part_beside(kind: type, part: str) -> ModuleType | None:
    """The module of that name beside a class, or beside the nearest class from which it is derived; None without one.

    Examples
    --------
    >>> from metrologue.scorers import CharacterErrorRate, Meant
    >>> part_beside(CharacterErrorRate, "trace").__name__
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
        module = sys.modules.get(each.__module__)  # a class that code made from a text has none
        package = _package(module) if module else ""
        if package and package.partition(".")[0] not in sys.stdlib_module_names:
            yield package


def _package(module: ModuleType) -> str:
    """The package that a module is, or lies in; "" if it lies in none."""
    return module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]


@cache
def _module(package: str, part: str) -> ModuleType | None:
    name = f"{package}.{part}"
    return import_module(name) if find_spec(name) else None


class Registry(MutableMapping[str, type[Any]]):
    """The class of each metric by the metric's name. A class without a home is entered when it is defined."""

    def __init__(self) -> None:
        self._loaded: dict[str, type[Any]] = {}

    def __getitem__(self, name: str) -> type[Any]:
        if name not in self._loaded:
            if name in own_homes():
                import_module(f"{_HOUSE}.{name}")  # which enters its class here
            elif brought := _outside(name):
                packages.class_in(brought)
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
        if former is None and name in own_homes() and not f"{kind.__module__}.".startswith(f"{_HOUSE}.{name}."):
            place = f"{_HOUSE}.{name}"
        if place != here:
            raise TypeError(f"{here}: a metric is called {name!r} already, {place}; choose another name.")
        self._loaded[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or (isinstance(name, str) and has_home(name))

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(homes()), **self._loaded})

    def __len__(self) -> int:
        return len({*homes(), *self._loaded})
