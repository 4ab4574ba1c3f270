"""Plain arithmetic, such as a trace's formula, as MathML: ``F = 2·P·R/(P + R) = 0.5``.

What is above a line is everything that is multiplied before the slash, as in any reading of such a line.
"""

from __future__ import annotations

import re

from metrologue.typesetting.elements import bracket, fraction, identifier, math, number, operator, row, tagged, text

__all__ = ["from_arithmetic"]

_TOKEN = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\W\d]\w*|\S")
# A number with more digits than this is shown rounded.
DIGITS = 6


def from_arithmetic(formula: str) -> str:
    """A line of plain arithmetic as a ``math`` element, with a row for each sign of equality.

    Parameters
    ----------
    formula : str
        Such as ``Trace.formula``: a name, then what it equals. The operators are + - · * / and ^, and there are
        functions of parts in brackets. A name of the left side may be any text.

    Raises
    ------
    ValueError
        If it is something else, such as a sentence.

    Examples
    --------
    >>> from_arithmetic("F = 2·1.5/(1 + x)").partition('">')[2].count("mfrac")
    2
    >>> from_arithmetic("entity_recall: no names")
    Traceback (most recent call last):
        ...
    ValueError: entity_recall: no names: there is no sign of equality
    """
    name, *sides = formula.split(" = ")
    if not sides:
        raise ValueError(f"{formula}: there is no sign of equality")
    first = identifier(name) if len(name) == 1 else text(name)
    rows = [_row(first if not index else "", *_equal(formula, side)) for index, side in enumerate(sides)]
    return math(tagged("mtable", "".join(rows), displaystyle="true"), formula)


def _row(name: str, sign: str, side: str) -> str:
    cells = zip((name, operator(sign), side), ("right", "center", "left"), strict=True)
    style = "padding: .25em .15em; text-align: "
    return tagged("mtr", "".join(tagged("mtd", cell, style=style + where) for cell, where in cells))


def _equal(formula: str, side: str) -> tuple[str, str]:
    """The sign and the side. A number alone that has many digits is rounded, and only about equal."""
    try:
        rounded = f"{float(side):.{DIGITS}g}"
    except ValueError:
        return "=", _Reader(formula, side).whole()
    return "=" if float(rounded) == float(side) else "≈", _Reader(formula, rounded).whole()


class _Reader:
    """Reads one side from left to right, an operator at a time."""

    def __init__(self, formula: str, side: str) -> None:
        self.formula, self.tokens, self.place = formula, _TOKEN.findall(side), 0

    def whole(self) -> str:
        found = self.sum()
        if self.next:
            raise ValueError(f"{self.formula}: {self.next} is not expected")
        return found

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.place += 1
        return token

    def closed(self) -> str:
        """What is in brackets, without them."""
        self.take()
        inner = self.sum()
        while self.next == ",":
            inner = row(inner, operator(self.take()), self.sum())
        if self.take() != ")":
            raise ValueError(f"{self.formula}: a bracket is not closed")
        return inner

    def sum(self) -> str:
        found = self.product()
        while self.next in ("+", "-", "−"):
            found = row(found, operator(self.take()), self.product())
        return found

    def product(self) -> str:
        """Factors. Brackets around all that is above or below a line are left out."""
        found, bare = self.power()
        while self.next in ("·", "*", "/"):
            if self.take() == "/":
                found = bare = fraction(bare, self.power()[1])
            else:
                factor, _ = self.power()
                found = bare = row(found, operator("·"), factor)
        return found

    def power(self) -> tuple[str, str]:
        """A factor, and the same without brackets around it."""
        found, bare = self.atom()
        if self.next == "^":
            self.take()
            _, exponent = self.atom()
            found = bare = tagged("msup", found + exponent)
        return found, bare

    def atom(self) -> tuple[str, str]:
        if self.next == "(":
            inner = self.closed()
            return row(bracket("(", True), inner, bracket(")", True)), inner
        token = self.take()
        if token in ("-", "−"):
            found = row(operator("-"), self.atom()[0])
        elif token[:1].isdigit():
            found = _number(token)
        elif token == "?" or token.isidentifier():
            found = identifier(token) if len(token) == 1 else text(token)
            if self.next == "(":
                found = row(identifier(token), operator("\u2061"), self.atom()[0])
        else:
            raise ValueError(f"{self.formula}: {token or 'the end'} is not expected")
        return found, found


def _number(digits: str) -> str:
    """A number; of one with an exponent, the power of ten is written out."""
    plain, _, exponent = digits.partition("e")
    if not exponent:
        return number(digits)
    return row(
        number(plain), operator("·"), tagged("msup", number("10") + number(str(int(exponent)).replace("-", "−")))
    )
