"""Which versions of a library print which numbers: the table that ``make drift DRIFT=history`` makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from typing import Any

from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.options import spelled
from metrologue.scorers.core.variants import nearest_variant

__all__ = ["FILE", "LINES", "Call", "Change", "Versions", "calls", "change", "missing", "scorer_of", "since"]

FILE = "history.json"
# The name of the real lines; all other texts are those of the documents' cases.
LINES = "200 lines"


@dataclass(frozen=True)
class Versions:
    """Consecutive versions of a library that give the same numbers.

    Attributes
    ----------
    first, last : str
        The versions.
    variant : str or None
        Our variant with these numbers.
    fields : mapping
        What the options of the call change in the variant.
    because : str
        Why there is no variant; empty if there is one.
    numbers : mapping of str to float or str
        The number of each text, by its name; the name of the error if the library refuses it.
    """

    first: str
    last: str
    variant: str | None
    fields: Mapping[str, Any]
    because: str
    numbers: Mapping[str, float | str]

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


@dataclass(frozen=True)
class Call:
    """A call of a library, and its numbers over the years.

    Attributes
    ----------
    library, name : str
    metric, variant : str
        Ours of the newest version.
    fields : mapping
        What the options of the call change in this variant.
    single : bool
        Whether the call takes one reference of each text.
    versions : tuple of Versions
        The oldest ones first.
    """

    library: str
    name: str
    metric: str
    variant: str
    fields: Mapping[str, Any]
    single: bool
    versions: tuple[Versions, ...] = ()

    def scorer(self, versions: Versions) -> Scorer | None:
        """Our scorer that gives the numbers of these versions; None if there is none."""
        return None if versions.variant is None else scorer_of(self.metric, versions.variant, versions.fields)

    def number(self, scorer: Scorer, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> float:
        """A scorer's number for this call: that of the call's name, if there is one, otherwise the primary number.

        Each text has as many references as the call takes: one, or as many as every text has.
        """
        fewest = 1 if self.single else min(map(len, references))
        found = scorer.corpus(predictions, [own[:fewest] for own in references])
        return float(found.scores.get(self.name, found.value))

    def changed(self, before: Versions, after: Versions) -> dict[str, tuple[Any, Any]]:
        """The fields that say why two versions differ, each with both values; empty if one has no variant."""
        scorers = self.scorer(before), self.scorer(after)
        if None in scorers:
            return {}
        names = [each.name for each in fields(scorers[0])]  # type: ignore[arg-type]
        values = {name: (getattr(scorers[0], name), getattr(scorers[1], name)) for name in names}
        return {name: both for name, both in values.items() if both[0] != both[1]}

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """For each run of versions: the versions, the number of the example, our variant, and what changed."""
        text, before = self.example(), None
        for each in self.versions:
            number = each.numbers[text]
            why = _spelled(self.changed(before, each)) if before else ""
            shown = number if isinstance(number, str) else f"{number:.6g}"
            yield str(each), shown, each.variant or "none", each.because or why
            before = each

    def example(self) -> str:
        """The text that shows best what changed: the real lines, or the first text whose number changed last."""
        newest = self.versions[-1].numbers
        older = [each.numbers for each in reversed(self.versions[:-1])]
        known = [name for name in (LINES, *newest) if not isinstance(newest.get(name), str | None)]
        changed = [name for name in known for each in older if each.get(name) != newest[name]]
        return (changed or known)[0]


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((resources.files(__package__) / FILE).read_text("utf-8"))
    return table


@cache
def calls(metric: str | None = None) -> tuple[Call, ...]:
    """All calls, or those of a metric.

    Examples
    --------
    >>> [f"{each}: {each.variant}" for each in calls("masi")[0].versions]
    ['3.5 to 3.10.0: nltk-3.8.1', '3.10.1 to 3.10.4: nltk']
    """
    return tuple(
        Call(library, name, one["metric"], one["variant"], one["fields"], one["single"], tuple(_runs(one)))
        for library, told in _table()["libraries"].items()
        for name, one in told["calls"].items()
        if metric in (None, one["metric"])
    )


def _runs(call: Mapping[str, Any]) -> Iterator[Versions]:
    """The runs of versions of a call. Older ones have only the numbers that differ from the newest one's."""
    newest = dict(zip(_table()["texts"], call["versions"][-1]["numbers"], strict=True))
    for run in call["versions"]:
        numbers = {**newest, **run["numbers"]} if isinstance(run["numbers"], dict) else newest
        own = run.get("fields", call["fields"])
        yield Versions(run["first"], run["last"], run["variant"], own, run.get("because", ""), numbers)


def scorer_of(metric: str, variant: str, fields: Mapping[str, Any]) -> Scorer:
    """A variant with changed fields, whose sequences come from JSON."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    return get_scorer(metric).variant(variant, **given)


def missing(library: str) -> dict[str, str]:
    """The versions of a library that gave no number, and why."""
    return dict(_table()["libraries"][library]["missing"])


def since() -> str:
    """The versions are those that were the newest on this day, or came later."""
    return str(_table()["since"])


@dataclass(frozen=True)
class Change:
    """A library's change after the version that is installed.

    Attributes
    ----------
    library, version : str
        What is installed.
    since : str
        The first version with the number of the newest one.
    variant : str
        Ours with the number of the installed version.
    fields : mapping of str to (value, value)
        The fields that say why: their values of the installed version and of the newest one.
    before : Scorer
        Ours with the number of the installed version, and otherwise the fields of the scorer that was asked about.
    """

    library: str
    version: str
    since: str
    variant: str
    fields: Mapping[str, tuple[Any, Any]]
    before: Scorer

    def sentence(self, before: float, after: float) -> str:
        """The change, with the numbers of both."""
        return (
            f"your {self.library} {self.version} prints {before:.4g}; since {self.since} it is {after:.4g} "
            f"({_spelled(self.fields)}; the variant {self.variant} has the older number)"
        )


def change(scorer: Scorer, version: str) -> Change | None:
    """What a library changed after an older version, for a scorer whose nearest variant mirrors the newest one.

    Parameters
    ----------
    scorer : Scorer
    version : str
        The version that is installed.

    Returns
    -------
    Change or None
        None if nothing is known to have changed.

    Examples
    --------
    >>> from metrologue.scorers import Masi
    >>> change(Masi.variant("nltk"), "3.8.1").sentence(0.57, 0.49)
    'your nltk 3.8.1 prints 0.57; since 3.10.1 it is 0.49 (subset_weight was 0.67 and is 0.6667, overlap_weight ...
    >>> change(Masi.variant("nltk"), "3.10.4")
    """
    variant = nearest_variant(scorer)
    own = [call for call in calls(scorer.name) if call.variant == variant and _is_of(scorer, call)]
    for call in sorted(own, key=lambda call: -len(call.fields)):
        newest = call.versions[-1]
        older = [each for each in call.versions if _key(each.first) <= _key(version)]
        if older and older[-1] is not newest and (found := call.changed(older[-1], newest)):
            values = {name: both[0] for name, both in found.items()}
            return Change(call.library, version, newest.first, str(older[-1].variant), found, replace(scorer, **values))
    return None


def _spelled(changed: Mapping[str, tuple[Any, Any]]) -> str:
    """Fields with their older and their newer values."""

    def shown(value: Any) -> str:
        return f"{value:.4g}" if isinstance(value, float) else spelled(value)

    return ", ".join(f"{name} was {shown(old)} and is {shown(new)}" for name, (old, new) in changed.items())


def _is_of(scorer: Scorer, call: Call) -> bool:
    """Whether a scorer has the fields that the options of a call change."""
    like = scorer_of(call.metric, call.variant, call.fields)
    return all(getattr(scorer, name) == getattr(like, name) for name in call.fields)


def _key(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
