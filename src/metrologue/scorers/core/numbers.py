"""Numbers: what a scorer reports. Each number is declared once, with its range, its direction and its meaning.

``range``, ``higher_is_better``, ``summary``, the other properties of ``Numbered`` and the documentation come from the
declarations. They stand in the order in which ``score`` gives the numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal

from metrologue.scorers.core.options import spelled

Better = Literal["higher", "lower"] | None

_POINTS = "points"
# Limits that are made from an attribute: its factor, and its name. Cosines begin at -1; some sums count all twice; the
# worst translation has 25 points of MQM.
_FACTORS = {"-scale": (-1, "scale"), "2 * scale": (2, "scale"), "25 * scale": (25, "scale")}


@dataclass(frozen=True, eq=False)  # each declaration is another one: it is quickly found in a cache
class Number:
    """The declaration of one number.

    Attributes
    ----------
    name : str
        Inside of ``each``, it has a placeholder for the value, as in "precision_{n}".
    least, greatest : float or str
        The limits of its value. A str is the name of an attribute of the scorer, such as "scale"; "-scale" and
        "2 * scale" are made from it.
    better : str or None
        "higher" or "lower"; None for a number without a direction, such as a length.
    about : str
        What it is, in one line.
    title : str
        Its name as it is usually written.
    unit : str
        "points" for a number whose perfect value is the scorer's `scale`, or that is measured by it. Otherwise what is
        counted or measured, such as "words" or "bits"; "" for a plain ratio.
    digits : str or None
        The field of the scorer with the number of decimals that the mirrored program prints.
    heading : str or None
        The heading of its column in a table of scores. None: it has no column, unless it is the primary number.
    infinite : bool
        Whether it may be infinite, such as a perplexity.
    when : mapping of str to tuple
        Fields of the scorer, and the values with which the number is reported.
    """

    name: str
    least: float | str
    greatest: float | str
    better: Better
    about: str
    title: str
    unit: str = ""
    digits: str | None = None
    heading: str | None = None
    infinite: bool = False
    when: Mapping[str, tuple[object, ...]] = field(default_factory=dict)

    def limits(self, scorer: Any) -> tuple[float, float]:
        """The least and the greatest value for a scorer."""
        return _limit(self.least, scorer), _limit(self.greatest, scorer)

    def span(self, scorer: Any) -> str:
        """The limits for a scorer in words, with the unit."""
        least, greatest = self.limits(scorer)
        below = f"{least:g} or more" if greatest == math.inf else f"{least:g} to {greatest:g}"
        limits = below if least > -math.inf else f"at most {greatest:g}" if greatest < math.inf else "any number"
        return limits if self.unit == _POINTS else f"{limits} {self.unit}".strip()

    @property
    def members(self) -> tuple[Number, ...]:
        """The numbers that are declared here: this one."""
        return (self,)

    @property
    def condition(self) -> str:
        """The field values with which it is reported, in words; "" if it always is."""
        return " and ".join(f"{name}={' or '.join(map(spelled, values))}" for name, values in self.when.items())

    def reported(self, scorer: Any) -> Iterator[tuple[Number, Number]]:
        """The numbers that a scorer reports, each with its declaration: this one, if its fields say so."""
        if all(getattr(scorer, name) in values for name, values in self.when.items()):
            yield self, self

    @lru_cache(maxsize=4096)  # noqa: B019  # a declaration lives as long as its class
    def filled(self, values: tuple[object, ...]) -> Number:
        """The number with these values in place of the placeholders, in the order in which its name has them."""
        known = dict(zip(re.findall(r"{(\w+)}", self.name), values, strict=True))
        name, title, about = (text.format_map(known) for text in (self.name, self.title, self.about))
        return replace(
            self, name=name, title=title, about=about, heading=self.heading and self.heading.format_map(known)
        )


def _limit(limit: float | str, scorer: Any) -> float:
    """A limit as a number."""
    if not isinstance(limit, str):
        return float(limit)
    factor, name = _FACTORS.get(limit, (1, limit))
    return float(factor * getattr(scorer, name))


@dataclass(frozen=True)
class Each:
    """Numbers that a scorer reports for each value of an attribute. See ``each``."""

    attribute: str
    members: tuple[Number, ...]

    def reported(self, scorer: Any) -> Iterator[tuple[Number, Number]]:
        """The numbers that a scorer reports, each with its declaration."""
        found = getattr(scorer, self.attribute)
        for value in range(1, found + 1) if isinstance(found, int) else found:
            for member in self.members:
                yield member.filled(value if isinstance(value, tuple) else (value,)), member


@dataclass(frozen=True)
class Chosen:
    """Numbers of which a scorer reports those that an attribute names. See ``chosen``."""

    attribute: str
    members: tuple[Number, ...]

    def reported(self, scorer: Any) -> Iterator[tuple[Number, Number]]:
        """The numbers that a scorer reports, each with its declaration."""
        known = {member.name: member for member in self.members}
        for name in getattr(scorer, self.attribute):
            yield known[name], known[name]


Declaration = Number | Each | Chosen
Numbers = tuple[Declaration, ...]


def number(
    name: str,
    least: float | str,
    greatest: float | str,
    *,
    about: str,
    better: Better = None,
    title: str | None = None,
    unit: str | None = None,
    digits: str | None = None,
    heading: str | None = None,
    infinite: bool = False,
    when: Mapping[str, tuple[object, ...]] | None = None,
) -> Number:
    """A number that a scorer reports; see ``Number``.

    The title is the name without underscores by default, and the unit is "points" if the greatest value is the scale.

    Examples
    --------
    >>> number("exact_match", 0, "scale", better="higher", about="share of texts that equal a reference").title
    'exact match'
    """
    known = unit if unit is not None else _POINTS if greatest == "scale" else ""
    told = name.replace("_", " ") if title is None else title
    return Number(name, least, greatest, better, about, told, known, digits, heading, infinite, when or {})


def counted(
    name: str, unit: str, *, about: str, better: Better = None, when: Mapping[str, tuple[object, ...]] | None = None
) -> Number:
    """A number of things, 0 or more without a limit; `unit` says which things.

    Examples
    --------
    >>> counted("hits", "words", about="words that are equal").greatest
    inf
    """
    return number(name, 0, math.inf, unit=unit, better=better, about=about, when=when)


def each(attribute: str, *numbers: Number) -> Each:
    """Numbers that a scorer reports for each value of its `attribute`; for an int N, for 1 to N.

    All numbers of the first value come first. The names have placeholders for the value, or for each part of a tuple.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> family = each("max_order", number("precision_{n}", 0, 1, about="share of {n}-grams that match"))
    >>> [(one.name, one.about) for one, _ in family.reported(SimpleNamespace(max_order=2))]
    [('precision_1', 'share of 1-grams that match'), ('precision_2', 'share of 2-grams that match')]
    """
    return Each(attribute, numbers)


def chosen(attribute: str, *numbers: Number) -> Chosen:
    """Numbers of which a scorer reports those that its `attribute` names, in that order."""
    return Chosen(attribute, numbers)


def tabled(scorer: Numbered) -> Iterator[tuple[Number, list[str], str]]:
    """Each declared number, in order, with its names in the scorer's scores, and the field values that it needs.

    A number that the fields leave out has its own name. A number that is always there needs no field values: "".
    """
    for declaration in scorer.numbers:
        pairs = [(one.name, declared) for one, declared in declaration.reported(scorer)]
        for member in declaration.members:
            names = [name for name, declared in pairs if declared is member]
            missing = f"{declaration.attribute}={member.name}" if isinstance(declaration, Chosen) and not names else ""
            yield member, names or [member.name], member.condition or missing


def declared_numbers(kind: type[Numbered]) -> Iterator[Number]:
    """All numbers that a metric declares, in order."""
    for declaration in kind.numbers:
        yield from declaration.members


class Numbered:
    """The part of a scorer that says what its numbers are. A metric declares `numbers`; the rest follows."""

    name: ClassVar[str]
    numbers: ClassVar[Numbers]
    scale: float
    # The metric's name as it is usually written: the title of the number with that name, unless the metric gives one.
    title: ClassVar[str]
    # The number that is asked for in place of the usual one; `with_number` sets it.
    _chosen = ""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        name = cls.__dict__.get("name")
        if name and "title" not in cls.__dict__:
            cls.title = next((one.title for one in declared_numbers(cls) if one.name == name), name)

    @cached_property
    def _reported(self) -> dict[str, Number]:
        """The numbers that ``score`` gives, by name, in its order."""
        return {one.name: one for declaration in self.numbers for one, _ in declaration.reported(self)}

    @cached_property
    def _ranges(self) -> dict[str, tuple[float, float]]:
        return {name: one.limits(self) for name, one in self._reported.items()}

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number, in the order in which ``score`` gives them."""
        return dict(self._ranges)

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Direction of each number that has one."""
        return {name: one.better == "higher" for name, one in self._reported.items() if one.better}

    @cached_property
    def primary(self) -> str:
        """The name of the number that `value` gives: that of the metric, or the first, unless the metric chooses."""
        return self._chosen or self._usual

    @property
    def _usual(self) -> str:
        """The primary number, unless another one is chosen."""
        return self.name if self.name in self._reported else next(iter(self._reported))

    @cached_property
    def _printed_digits(self) -> int | None:
        """The number of decimals that the mirrored program prints; None for a library, which returns numbers."""
        digits = self._reported[self.primary].digits
        return None if digits is None else getattr(self, digits)

    @cached_property
    def _infinite(self) -> tuple[str, ...]:
        """Names of the numbers that may be infinite, such as a perplexity."""
        return tuple(one.name for one in declared_numbers(type(self)) if one.infinite)


def headings(scorer: Numbered) -> dict[str, tuple[str, ...]]:
    """The headings of a table of scores, each with the names of the numbers below it."""
    primary = scorer.primary
    apart = bool(scorer._chosen) or not scorer._reported[primary].heading
    named: dict[str, tuple[str, ...]] = {primary: (primary,)} if apart else {}
    for name, one in scorer._reported.items():
        if one.heading and not (apart and name == primary):
            named[one.heading] = (*named.get(one.heading, ()), name)
    return named


def main_headings(scorer: Numbered) -> list[str]:
    """The headings of scores; the others are details. If no number has the metric's name, all are scores."""
    named = headings(scorer)
    if scorer._chosen:
        return [scorer.primary]
    return [heading for heading, keys in named.items() if keys == (scorer.name,)] or [*named]


def perfect_score(scorer: Numbered) -> float | None:
    """The value of a perfect score, which is 100 points; None for a number without one, such as a distance."""
    return scorer.scale if scorer._reported[scorer.primary].unit == "points" else None
