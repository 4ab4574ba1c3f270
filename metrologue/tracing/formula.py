"""The formula of a trace as MathML: fractions and powers as people write them, with the numbers in it.

A formula is typeset in pieces, so that a long one goes on in the next line on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["formula_html"]

# Numbers, names (`rougeL_fmeasure`, `Self-BLEU`), and signs.
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([^\W\d]\w*(?:-[^\W\d]\w*)*)|([-+−·*/^(),=%|<>∞]))")
# What is wider than so many characters may be broken at its operators.
_WIDE = 28
_OPERATORS = {"-": "−", "*": "·"}


@dataclass(frozen=True)
class _Node:
    """A part of a formula: `kind` is "number", "word", "row", "fraction", "power", "call" or "group"."""

    kind: str
    text: str = ""
    parts: tuple[_Node, ...] = ()

    @property
    def width(self) -> int:
        """About so many characters from left to right."""
        own = [part.width for part in self.parts]
        return len(self.text) + (max(own) if self.kind == "fraction" else sum(own)) + 2 * (self.kind == "group")


def formula_html(formula: str) -> str:
    """A formula as HTML with MathML in it. A text that is no formula stays as it is; everything is escaped.

    Examples
    --------
    >>> formula_html("wer = (1 + 0)/3")  # doctest: +ELLIPSIS
    '<math displaystyle="true"><mi>wer</mi></math> <math displaystyle="true"><mo>=</mo><mfrac>...'
    >>> formula_html("what is <this>?")
    'what is &lt;this&gt;?'
    """
    try:
        sides = _Parser(formula).sides()
    except _NoFormulaError:
        return escape(formula)
    pieces = []
    for place, side in enumerate(sides):
        first, *others = _pieces(side)
        equals = "<mo>=</mo>" if place else ""
        pieces += [equals + first, *others]
    return " ".join(f'<math displaystyle="true">{piece}</math>' for piece in pieces)


class _NoFormulaError(ValueError):
    """The text is no formula."""


class _Parser:
    """A formula of numbers, names, `+ - · / ^`, brackets and calls, read from left to right."""

    def __init__(self, formula: str) -> None:
        self._tokens = [*_tokens(formula)]
        self._place = 0

    def sides(self) -> list[_Node]:
        found = [self._list()]
        while self._took("="):
            found.append(self._list())
        if self._next:
            raise _NoFormulaError
        return found

    @property
    def _next(self) -> str:
        return self._tokens[self._place][1] if self._place < len(self._tokens) else ""

    def _took(self, *signs: str) -> str:
        sign = self._next
        if not sign or sign not in signs or self._tokens[self._place][0] != "sign":
            return ""
        self._place += 1
        return sign

    def _list(self) -> _Node:
        found = [self._sum()]
        while self._took(","):
            found += [_Node("sign", ","), self._sum()]
        return _row(found)

    def _sum(self) -> _Node:
        found = [self._product()]
        while sign := self._took("+", "-", "−", "<", ">", "|"):
            found += [_Node("sign", _OPERATORS.get(sign, sign)), self._product()]
        return _row(found)

    def _product(self) -> _Node:
        found = [self._side_by_side()]
        while sign := self._took("·", "*", "/"):
            factor = self._side_by_side()
            if sign == "/":
                found = [_Node("fraction", parts=(_bare(_row(found)), _bare(factor)))]
            else:
                found += [_Node("sign", "·"), factor]
        return _row(found)

    def _side_by_side(self) -> _Node:
        """Words and numbers beside each other, such as "3 tokens"."""
        found = [self._power()]
        while self._place < len(self._tokens) and self._tokens[self._place][0] != "sign":
            found += [_Node("space", " "), self._power()]
        return _row(found)

    def _power(self) -> _Node:
        if sign := self._took("-", "−"):
            return _Node("row", parts=(_Node("sign", _OPERATORS.get(sign, sign)), self._power()))
        base = self._atom()
        if not self._took("^"):
            return base
        base = _Node("group", parts=(base,)) if base.kind == "fraction" else base
        return _Node("power", parts=(base, _bare(self._power())))

    def _atom(self) -> _Node:
        if self._took("("):
            inner = self._list()
            if not self._took(")"):
                raise _NoFormulaError
            return inner if inner.kind == "fraction" else _Node("group", parts=(inner,))
        if self._place >= len(self._tokens) or self._tokens[self._place][0] == "sign":
            raise _NoFormulaError
        kind, text = self._tokens[self._place]
        self._place += 1
        atom = _Node(kind, text)
        if kind == "word" and self._next == "(":
            argument = self._atom()
            return _Node("call", parts=(atom, _Node("group", parts=(_bare(argument),))))
        return atom


def _tokens(formula: str) -> Iterator[tuple[str, str]]:
    place = 0
    formula = formula.strip()
    while place < len(formula):
        found = _TOKEN.match(formula, place)
        if not found:
            raise _NoFormulaError
        number, word, sign = found.groups()
        yield ("number", number) if number else ("word", word) if word else ("sign", sign)
        place = found.end()


def _row(parts: Sequence[_Node]) -> _Node:
    return parts[0] if len(parts) == 1 else _Node("row", parts=tuple(parts))


def _bare(node: _Node) -> _Node:
    """Without brackets, which a fraction's bar or a power makes needless."""
    return node.parts[0] if node.kind == "group" else node


def _pieces(node: _Node) -> list[str]:
    """MathML of a part, in pieces between which a line may end."""
    if node.width <= _WIDE or node.kind not in ("row", "call", "group"):
        return [_mathml(node)]
    if node.kind == "row":
        found = [""]
        for part in node.parts:
            if part.kind == "sign" and part.text in "+−":
                found.append(_mathml(part))
            else:
                first, *others = _pieces(part)
                found[-1] += first
                found += others
        return [piece for piece in found if piece]
    inner = _pieces(node.parts[-1].parts[0] if node.kind == "call" else node.parts[0])
    before = _mathml(node.parts[0]) if node.kind == "call" else ""
    inner[0] = f'{before}<mo stretchy="false">(</mo>{inner[0]}'
    inner[-1] += '<mo stretchy="false">)</mo>'
    return inner


def _mathml(node: _Node) -> str:
    parts = [_mathml(part) for part in node.parts]
    match node.kind:
        case "number":
            return f"<mn>{node.text}</mn>"
        case "word":
            return f"<mi>{escape(node.text)}</mi>"
        case "sign":
            return f"<mo>{escape(node.text)}</mo>"
        case "space":
            return "<mtext>&nbsp;</mtext>"
        case "fraction":
            return f"<mfrac>{_one(parts[0], node.parts[0])}{_one(parts[1], node.parts[1])}</mfrac>"
        case "power":
            return f"<msup>{_one(parts[0], node.parts[0])}{_one(parts[1], node.parts[1])}</msup>"
        case "group":
            return f"<mrow><mo>(</mo>{parts[0]}<mo>)</mo></mrow>"
    return "".join(parts)


def _one(mathml: str, node: _Node) -> str:
    """One element, as fractions and powers take their parts."""
    return f"<mrow>{mathml}</mrow>" if node.kind in ("row", "call") else mathml
