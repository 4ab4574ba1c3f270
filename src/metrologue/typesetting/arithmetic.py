"""Plain arithmetic, such as a trace's formula, as MathML: ``F = 2·P·R/(P + R) = 0.5``.

What is above a line is everything that is multiplied before the slash, as in any reading of such a line. A long formula
is in pieces, so that it goes on in the next line on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metrologue.typesetting.elements import bracket, fraction, identifier, math, number, operator, row, tagged, text

__all__ = ["from_arithmetic"]

# A number, a name such as `rougeL_fmeasure`, or a sign.
_TOKEN = re.compile(r"(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>[^\W\d]\w*|\?)|(?P<sign>\S)")
# A number with more digits than this is shown rounded.
DIGITS = 6
# What is wider than so many characters may be broken before its signs.
WIDE = 28


def from_arithmetic(formula: str) -> str:
    """A line of plain arithmetic as ``math`` elements, between which a line may end.

    Parameters
    ----------
    formula : str
        Such as ``Trace.formula``: a name, then what it equals. The operators are + - · * / and ^, and there are
        functions of parts in brackets. Words may stand beside numbers. A name of the left side may be any text.

    Raises
    ------
    ValueError
        If it is something else, such as a sentence.

    Examples
    --------
    >>> from_arithmetic("F = 2·1.5/(1 + x)").count("</mfrac>")
    1
    >>> from_arithmetic("entity_recall: no names")
    Traceback (most recent call last):
        ...
    ValueError: entity_recall: no names: there is no sign of equality
    """
    name, *sides = formula.split(" = ")
    if not sides:
        raise ValueError(f"{formula}: there is no sign of equality")
    pieces = [identifier(name) if len(name) == 1 else text(name)]
    for side in sides:
        sign, found = _equal(formula, side)
        first, *others = _pieces(found)
        pieces += [_infix(sign) + first, *others]
    return " ".join(math(tagged("mstyle", piece, displaystyle="true"), "", inline=True) for piece in pieces)


def _equal(formula: str, side: str) -> tuple[str, _Part]:
    """The sign and the side. A number alone that has many digits is rounded, and only about equal."""
    try:
        rounded = f"{float(side):.{DIGITS}g}"
    except ValueError:
        return "=", _Reader(formula, side).whole()
    return "=" if float(rounded) == float(side) else "≈", _Reader(formula, rounded).whole()


@dataclass(frozen=True)
class _Part:
    """A part of a formula; `kind` is that of a token, or "row", "words", "fraction", "power", "call" or "group"."""

    kind: str
    text: str = ""
    parts: tuple[_Part, ...] = ()

    @property
    def width(self) -> int:
        """About so many characters from left to right."""
        own = [part.width for part in self.parts]
        return len(self.text) + (max(own) if self.kind == "fraction" else sum(own)) + 2 * (self.kind == "group")

    @property
    def bare(self) -> _Part:
        """Without the brackets, which a line or a power makes needless."""
        return self.parts[0] if self.kind == "group" else self


class _Reader:
    """Reads one side from left to right, an operator at a time."""

    def __init__(self, formula: str, side: str) -> None:
        self.formula, self.place = formula, 0
        self.tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(side)]

    def whole(self) -> _Part:
        found = self.listed()
        if self.next:
            raise ValueError(f"{self.formula}: {self.next} is not expected")
        return found

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else "end"

    @property
    def next(self) -> str:
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def take(self) -> _Part:
        kind, token = self.kind, self.next
        self.place += 1
        return _Part(kind, token)

    def joined(self, one: str, signs: str) -> _Part:
        """Parts with signs between them; `one` is the method that reads a part."""
        found = [getattr(self, one)()]
        while self.next and self.next in signs:
            found += [self.take(), getattr(self, one)()]
        return _row(found)

    def listed(self) -> _Part:
        return self.joined("sum", ",")

    def sum(self) -> _Part:
        return self.joined("product", "+-−")

    def product(self) -> _Part:
        """Factors. Brackets around all that is above or below a line are left out."""
        found = [self.worded()]
        while self.next and self.next in "·*/":
            if self.take().text == "/":
                found = [_Part("fraction", parts=(_row(found).bare, self.worded().bare))]
            else:
                found += [_Part("sign", "·"), self.worded()]
        return _row(found)

    def worded(self) -> _Part:
        """A factor, and the words beside it, such as "3 tokens". Two numbers need a sign between them."""
        found = [self.power()]
        while self.kind in ("number", "name") and "name" in (self.kind, found[-1].kind):
            found.append(self.power())
        return found[0] if len(found) == 1 else _Part("words", parts=tuple(found))

    def power(self) -> _Part:
        found = self.atom()
        if self.next != "^":
            return found
        self.take()
        base = _Part("group", parts=(found,)) if found.kind == "fraction" else found
        return _Part("power", parts=(base, self.atom().bare))

    def atom(self) -> _Part:
        if self.next == "(":
            self.take()
            inner = self.listed()
            if self.take().text != ")":
                raise ValueError(f"{self.formula}: a bracket is not closed")
            return inner if inner.kind == "fraction" else _Part("group", parts=(inner,))
        if self.next in ("-", "−"):
            return _Part("row", parts=(self.take(), self.atom()))
        if self.kind not in ("number", "name"):
            raise ValueError(f"{self.formula}: {self.next or 'the end'} is not expected")
        found = self.take()
        if found.kind == "name" and self.next == "(":
            return _Part("call", parts=(found, _Part("group", parts=(self.atom().bare,))))
        return found


def _row(parts: Sequence[_Part]) -> _Part:
    return parts[0] if len(parts) == 1 else _Part("row", parts=tuple(parts))


def _pieces(part: _Part) -> list[str]:
    """MathML of a part, in pieces between which a line may end: before a sign, also one in brackets."""
    if part.width <= WIDE or part.kind not in ("row", "call", "group"):
        return [_mathml(part)]
    if part.kind == "row":
        found = [""]
        for each in part.parts:
            if each.kind == "sign" and each.text in "+-−":
                found.append(_infix(each.text))
            else:
                first, *others = _pieces(each)
                found[-1] += first
                found += others
        return found
    *called, group = part.parts if part.kind == "call" else (part,)
    inner = _pieces(group.bare)
    inner[0] = "".join(map(_mathml, called)) + bracket("(") + inner[0]
    inner[-1] += bracket(")")
    return inner


def _infix(sign: str) -> str:
    """A sign with which a piece begins: it stands between two parts nevertheless."""
    return tagged("mo", sign.replace("-", "\u2212"), form="infix")


def _mathml(part: _Part) -> str:
    parts = [_mathml(each) for each in part.parts]
    match part.kind:
        case "number":
            return _number(part.text)
        case "name":
            return identifier(part.text) if len(part.text) == 1 else text(part.text)
        case "sign":
            return operator(part.text)
        case "fraction":
            return fraction(*parts)
        case "power":
            return tagged("msup", "".join(parts))
        case "group":
            return row(bracket("(", True), *parts, bracket(")", True))
        case "call":
            return row(parts[0], operator("\u2061"), parts[1])
        case "words":
            return row(*[each for one in parts for each in (one, tagged("mtext", "\u00a0"))][:-1])
    return row(*parts)


def _number(digits: str) -> str:
    """A number; of one with an exponent, the power of ten is written out."""
    plain, _, exponent = digits.partition("e")
    if not exponent:
        return number(digits)
    return row(
        number(plain), operator("·"), tagged("msup", number("10") + number(str(int(exponent)).replace("-", "−")))
    )
