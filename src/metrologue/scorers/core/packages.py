"""Metrics of other packages, which name them as entry points of the group ``metrologue.metrics``.

The metadata of all installed packages are read for this, which takes a while: only for a name that is not ours, and for
lists. ``METROLOGUE_PLUGINS=0`` switches these metrics off.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from metrologue.errors import InputError, shown, warn_caller
from metrologue.scorers.core.research import project

GROUP = "metrologue.metrics"
SWITCH = "METROLOGUE_PLUGINS"


class Brought(NamedTuple):
    """A metric that a package names.

    Attributes
    ----------
    metric : str
        Its name.
    module, attribute : str
        Where its class is. The folder of this module is its home.
    package, version : str
        The distribution, as an installer calls it.
    """

    metric: str
    module: str
    attribute: str
    package: str
    version: str


def named_by_packages() -> dict[str, tuple[Brought, ...]]:
    """The metrics that installed packages name; each has more than one entry if several packages name it."""
    return _named(_places()) if os.environ.get(SWITCH) != "0" else {}


def package_with(name: str, ours: tuple[str, ...]) -> Brought | None:
    """What brings the metric of a name that is not ours; None if no package does.

    Raises an InputError if several packages do.
    """
    if name in ours or not name.isidentifier() or name != name.lower():
        return None  # without a look at the packages
    found = named_by_packages().get(name, ())
    if len(found) > 1:
        packages = " and ".join(sorted({f"{each.package} {each.version}" for each in found}))
        raise InputError(f"the metric {shown(name)} is brought by several packages, {packages}; uninstall all but one.")
    return found[0] if found else None


def class_in(brought: Brought) -> type[Any]:
    """The class of a metric, imported. Raises an InputError if that fails, or if it is not a metric of this name."""
    where = f"{brought.package} {brought.version}: the metric {shown(brought.metric)}"
    try:
        _check_place(brought)
        kind: Any = import_module(brought.module)
        for part in brought.attribute.split("."):
            kind = getattr(kind, part)
    except Exception as error:  # whatever a stranger's module raises
        raise InputError(f"{where} cannot be imported: {type(error).__name__}: {error}") from error
    name = getattr(kind, "name", None)
    if not isinstance(kind, type) or name != brought.metric:
        what = f"is the metric {shown(name)}" if isinstance(name, str) else "is not the class of a metric"
        raise InputError(
            f"{where}: {brought.module}:{brought.attribute} {what}; an entry point has the name of its metric."
        )
    return kind


@cache
def usable(name: str, ours: tuple[str, ...], switch: str | None) -> Brought | None:
    """What brings a metric, if it can be imported; None with one warning that says why not."""
    try:
        if name in ours:
            [first, *_] = named_by_packages()[name]
            raise InputError(
                f"{first.package} {first.version} brings a metric {shown(name)}, and metrologue has one of this name, "
                "which stays; the package must choose another name."
            )
        if brought := package_with(name, ours):
            class_in(brought)
        return brought
    except InputError as error:
        warn_caller(f"{error} All other metrics work.")
    return None


def all_usable(ours: tuple[str, ...]) -> dict[str, Brought]:
    """The metrics of other packages that can be imported, by their names."""
    switch = os.environ.get(SWITCH)
    found = {name: usable(name, ours, switch) for name in sorted(named_by_packages())}
    return {name: brought for name, brought in found.items() if brought}


@cache
def package_of(module: str, metric: str) -> tuple[str, ...]:
    """The package of a metric's class, such as "lengthgap-0.3"; empty for ours, and for what no package names."""
    top = module.partition(".")[0]
    if top in (__name__.partition(".")[0], "__main__"):
        return ()
    every = _named(_places())
    near = [*every.get(metric, ()), *(each for several in every.values() for each in several)]
    return next(((f"{each.package}-{each.version}",) for each in near if each.module.partition(".")[0] == top), ())


def _places() -> tuple[str, ...]:
    """Where packages are installed: the path of imports without the folder in which a user stands."""
    project()  # its sources come last
    first = sys.path[:1] if sys.path and _is_here(sys.path[0]) else []
    return tuple(place for place in sys.path[len(first) :] if place)


def _is_here(place: str) -> bool:
    return not place or os.path.realpath(place) == os.path.realpath(os.curdir)


@cache
def _named(places: tuple[str, ...]) -> dict[str, tuple[Brought, ...]]:
    from importlib.metadata import distributions  # slow to import

    found: dict[str, dict[str, Brought]] = {}
    beside = project()
    for entry, value in beside.get("entry-points", {}).get(GROUP, {}).items():
        module, _, attribute = value.partition(":")
        found[entry] = {beside["name"]: Brought(entry, module, attribute, beside["name"], beside["version"])}
    for each in distributions(path=[*places]):
        if GROUP not in (each.read_text("entry_points.txt") or ""):
            continue
        for entry in each.entry_points.select(group=GROUP):
            brought = Brought(entry.name, entry.module, entry.attr, each.name, each.version)
            found.setdefault(entry.name, {}).setdefault(each.name, brought)  # the first on the path is imported
    return {name: tuple(several.values()) for name, several in found.items()}


def _check_place(brought: Brought) -> None:
    """Refuse a module that would be imported from the folder in which a user stands."""
    from importlib.machinery import PathFinder
    from importlib.util import find_spec

    top = brought.module.partition(".")[0]
    if top in sys.modules or not sys.path or not _is_here(sys.path[0]):
        return
    there, installed = find_spec(top), PathFinder.find_spec(top, [*_places()])
    spot = PathFinder.find_spec(top, [sys.path[0]])
    if spot and there and spot.origin == there.origin and (installed is None or installed.origin != there.origin):
        raise ImportError(f"{spot.origin or top}, in the folder in which you stand, is not imported; go elsewhere")
