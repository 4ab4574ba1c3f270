"""Formulas as MathML, which a browser typesets without a script, a font or a network.

A definition is LaTeX. A trace's formula, which has the numbers of a segment, is plain arithmetic, and becomes LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple

# What limits stand below and above.
_LIMITS = re.compile(r"\\(max|min|prod|sum)(?=[_^])")
# What the converter writes, and what browsers draw well.
_REPAIRS = (
    # Words are identifiers: `mtext` counts as a space, and an operator after it as a sign before the next element.
    ("<mtext>", '<mi mathvariant="normal">'),
    ("</mtext>", "</mi>"),
    # Chromium knows the style, and not the attribute.
    ('columnalign="left"', 'style="text-align: left"'),
)
# The name of a function, and a bracket after it.
_FUNCTION = re.compile("<m[io]>(cos|exp|ln|log|max|min|tanh)</m[io]>(<mrow><mo|<mo[^>]*>&#x00028;)?")
_GAP = "0.167em"
# A number, a name such as `rougeL_fmeasure`, or a sign.
_TOKEN = re.compile(r"(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>[^\W\d]\w*|\?)|(?P<sign>\S)")
_SIGNS = {"·": r"\cdot ", "*": r"\cdot ", "−": "-"}
# A number with more digits than this is shown rounded.
DIGITS = 6
# What is wider than so many characters may be broken before its signs.
WIDE = 28


def from_latex(formula: str, inline: bool = False) -> str:
    r"""A formula of LaTeX as a ``math`` element.

    Parameters
    ----------
    formula : str
        In LaTeX's math mode, without dollar signs.
    inline : bool
        Whether it stands in a line of text; otherwise it has a line of its own.

    Raises
    ------
    ValueError
        If it has a command that is not known, or a part without its partner.

    Examples
    --------
    >>> from_latex(r"\frac{a}{2}").partition("<mfrac>")[2]
    '<mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac></mrow></math>'
    >>> from_latex(r"\unheard{a}")
    Traceback (most recent call last):
        ...
    ValueError: \unheard{a} is no LaTeX that is understood here
    """
    from latex2mathml.converter import convert

    braces = re.sub(r"\\[{}]", "", formula)
    try:
        mathml = convert(_LIMITS.sub(r"\\\1\\limits", formula), display="inline" if inline else "block")
    except Exception as error:  # of many types, none of which says where
        raise ValueError(f"{formula} is no LaTeX that is understood here: {type(error).__name__}") from error
    if "\\" in mathml or braces.count("{") != braces.count("}"):  # the converter shows them, or leaves them out
        raise ValueError(f"{formula} is no LaTeX that is understood here")
    for written, drawn in _REPAIRS:
        mathml = mathml.replace(written, drawn)
    mathml = _FUNCTION.sub(_spaced, mathml)
    return mathml.replace("<math ", f'<math alttext="{escape(formula)}" ', 1)


def _spaced(function: re.Match[str]) -> str:
    """The name of a function with a gap on each side, but none before a bracket."""
    name, bracket = function.groups(default="")
    return f'<mo lspace="{_GAP}" rspace="{"0" if bracket else _GAP}" movablelimits="false">{name}</mo>{bracket}'


def from_arithmetic(formula: str) -> str:
    """A line of plain arithmetic as ``math`` elements, between which a line may end.

    What is above a line is everything that is multiplied before the slash, as in any reading of such a line.

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
    slanted = "" if len(name) == 1 else ' mathvariant="normal"'
    shown = [f"<math><mi{slanted}>{escape(name).replace(' ', chr(0xA0))}</mi></math>"]
    for side in sides:
        sign, pieces = _equal(formula, side)
        shown += [_piece(each) for each in (sign + pieces[0], *pieces[1:])]
    return " ".join(shown)


def _piece(latex: str) -> str:
    """A piece of a line. A sign with which it begins stands between two parts nevertheless."""
    return (
        from_latex(latex, inline=True)
        .replace("<math ", '<math displaystyle="true" ', 1)
        .replace("<mrow><mo>", '<mrow><mo form="infix">', 1)
    )


def _equal(formula: str, side: str) -> tuple[str, list[str]]:
    """The sign and the side in LaTeX. A number alone that has many digits is rounded, and only about equal."""
    try:
        rounded = f"{float(side):.{DIGITS}g}"
    except ValueError:
        return "=", _Reader(formula, side).whole()
    return "=" if float(rounded) == float(side) else r"\approx ", _Reader(formula, rounded).whole()


class _Part(NamedTuple):
    """LaTeX in pieces between which a line may end; a "group" has brackets around it, and its `inner` has not."""

    pieces: list[str]
    kind: str = ""
    inner: str = ""

    @property
    def bare(self) -> str:
        """Without the brackets, which a line or a power makes needless."""
        return self.inner or "".join(self.pieces)


class _Reader:
    """Reads one side from left to right, an operator at a time."""

    def __init__(self, formula: str, side: str) -> None:
        self.formula, self.side, self.place = formula, side, 0
        self.tokens = [*_TOKEN.finditer(side)]

    @property
    def kind(self) -> str:
        return str(self.tokens[self.place].lastgroup) if self.place < len(self.tokens) else "end"

    @property
    def next(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.place += 1
        return token

    def whole(self) -> list[str]:
        pieces = self.listed().pieces
        if self.next:
            raise ValueError(f"{self.formula}: {self.next} is not expected")
        return pieces if len(self.side) > WIDE else ["".join(pieces)]

    def listed(self) -> _Part:
        return self.joined(self.sum, ",")

    def sum(self) -> _Part:
        return self.joined(self.product, "+-−")

    def joined(self, one: Callable[[], _Part], signs: str) -> _Part:
        """Parts with signs between them; `one` reads a part. A line may end before a sign of a sum."""
        part = one()
        while self.next and self.next in signs:
            sign, (first, *others) = self.take(), one().pieces
            part = _continued(part, _SIGNS.get(sign, sign) + first, *others, broken=sign != ",")
        return part

    def product(self) -> _Part:
        """Factors. Brackets around all that is above or below a line are left out."""
        part = self.worded()
        while self.next and self.next in "·*/":
            if self.take() == "/":
                part = _Part([rf"\frac{{{part.bare}}}{{{self.worded().bare}}}"], "fraction")
            else:
                first, *others = self.worded().pieces
                part = _continued(part, r"\cdot " + first, *others)
        return part

    def worded(self) -> _Part:
        """A factor, and the words beside it, such as "3 tokens". Two numbers need a sign between them."""
        part = self.power()
        while self.kind in ("number", "name") and "name" in (self.kind, part.kind):
            kind, (first, *others) = self.kind, self.power().pieces
            part = _continued(part, r"\ " + first, *others)._replace(kind=kind)
        return part

    def power(self) -> _Part:
        part = self.atom()
        if self.next != "^":
            return part
        self.take()
        base = "".join(part.pieces)
        return _Part([rf"{_bracketed(base) if part.kind == 'fraction' else base}^{{{self.atom().bare}}}"])

    def atom(self) -> _Part:
        if self.next == "(":
            return self.group()
        if self.next in ("-", "−"):
            self.take()
            return _Part([f"{{-{''.join(self.atom().pieces)}}}"])
        kind, token = self.kind, self.take()
        if kind == "number":
            plain, _, exponent = token.partition("e")
            return _Part([rf"{plain}\cdot 10^{{{int(exponent)}}}" if exponent else plain], kind)
        if kind != "name":
            raise ValueError(f"{self.formula}: {token or 'the end'} is not expected")
        name = token if len(token) == 1 and token.isalpha() else rf"\text{{{token}}}"
        if self.next != "(":
            return _Part([name], kind)
        first, *others = self.group(called=True).pieces
        return _Part([name + first, *others], "call")

    def group(self, called: bool = False) -> _Part:
        """What is in brackets. A fraction alone needs none, unless a function is called with it."""
        start = self.tokens[self.place].start()
        self.take()
        part = self.listed()
        if self.take() != ")":
            raise ValueError(f"{self.formula}: a bracket is not closed")
        if part.kind == "fraction" and not called:
            return part
        inner, wide = "".join(part.pieces), self.tokens[self.place - 1].end() - start > WIDE
        if wide and len(part.pieces) > 1:
            first, *others, last = part.pieces
            return _Part([f"({first}", *others, f"{last})"], "group", inner)
        return _Part([_bracketed(inner)], "group", inner)


def _bracketed(latex: str) -> str:
    return rf"\left({latex}\right)"


def _continued(part: _Part, first: str, *others: str, broken: bool = False) -> _Part:
    """The part with more pieces after it; `broken` tells that a line may end before the first of them."""
    if broken:
        return _Part([*part.pieces, first, *others])
    return _Part([*part.pieces[:-1], part.pieces[-1] + first, *others])
