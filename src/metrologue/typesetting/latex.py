r"""The part of LaTeX that definitions need, as MathML.

Known are letters, numbers, operators, ``{}``, ``_``, ``^``, ``'``, ``\frac``, ``\sqrt``, ``\text``, ``\bar`` and other
accents, ``\mathbf``, ``\left`` and ``\right``, ``\begin{cases}``, and the signs and functions below.
"""

from __future__ import annotations

import re

from metrologue.typesetting.elements import (
    bracket,
    fraction,
    identifier,
    math,
    number,
    operator,
    row,
    space,
    tagged,
    text,
)

__all__ = ["from_latex"]

_TOKEN = re.compile(r"\\(?:text|begin|end)\{[^{}]*\}|\\[A-Za-z]+|\\[^A-Za-z]|\d+(?:\.\d+)?|[^\s]")
_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ", "lambda": "λ", "mu": "μ",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Delta": "Δ", "infty": "∞", "ell": "ℓ",
}  # fmt: skip
_SIGNS = {
    "cdot": "·", "times": "×", "le": "≤", "ge": "≥", "ne": "≠", "in": "∈", "notin": "∉", "cap": "∩", "cup": "∪",
    "subset": "⊂", "subseteq": "⊆", "to": "→", "approx": "≈", "mid": "∣", "dots": "…", "setminus": "∖", "pm": "±",
    "circ": "∘", "otimes": "⊗",
}  # fmt: skip
_BRACKETS = {"{": "{", "}": "}", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖", "lfloor": "⌊", "rfloor": "⌋"}
# Limits stand below and above these.
_SUMS = {"sum": "∑", "prod": "∏"}
_BOUNDS = ("max", "min")
_FUNCTIONS = ("cos", "exp", "ln", "log", "tanh")
_ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~", "vec": "→"}
_GAPS = {",": "0.167em", ";": "0.278em", "quad": "1em"}
_BOLD = {**{chr(65 + i): chr(0x1D400 + i) for i in range(26)}, **{chr(97 + i): chr(0x1D41A + i) for i in range(26)}}


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
        If it has a command that is not known, or a brace without its partner.

    Examples
    --------
    >>> from_latex(r"\frac{a}{2}").partition('">')[2]
    '<mfrac><mi>a</mi><mn>2</mn></mfrac></math>'
    >>> from_latex(r"\unheard{a}")
    Traceback (most recent call last):
        ...
    ValueError: \unheard{a}: the command \unheard is not known
    """
    return math(_Reader(formula).until(), formula, inline)


class _Reader:
    """Reads a formula from left to right. After each method, ``place`` is at the token that is not read yet."""

    def __init__(self, formula: str) -> None:
        self.formula, self.tokens, self.place = formula, _TOKEN.findall(formula), 0

    def error(self, what: str) -> ValueError:
        return ValueError(f"{self.formula}: {what}")

    @property
    def next(self) -> str:
        """The next token; "" at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.next
        if not token or (expected and token != expected):
            raise self.error(f"{expected or 'more'} is missing" + (f" before {token}" if token else " at the end"))
        self.place += 1
        return token

    def until(self, *ends: str) -> str:
        """What comes before one of these tokens, as one element."""
        parts: list[str] = []
        while self.next not in (*ends, ""):
            if self.next[1:] in (*_FUNCTIONS, *_BOUNDS) and parts and not parts[-1].endswith("</mo>"):
                parts.append(space(_GAPS[","]))
            parts.append(self.scripted())
        if ends and not self.next:
            raise self.error(f"{ends[0]} is missing at the end")
        return row(*parts)

    def scripted(self) -> str:
        """An element with what is below and above it."""
        token = self.next
        name = token[1:]
        base, scripts = self.element(), {}
        while self.next in ("_", "^", "'"):
            sign = self.take()
            where = "^" if sign == "'" else sign
            if where in scripts:
                raise self.error(f"there are two {where} in a row")
            scripts[where] = operator("′") if sign == "'" else self.argument()
        kind = ("munder", "mover", "munderover") if name in (*_SUMS, *_BOUNDS) else ("msub", "msup", "msubsup")
        if scripts:
            which = 2 if len(scripts) == 2 else int("^" in scripts)
            base = tagged(kind[which], base + "".join(scripts[each] for each in "_^" if each in scripts))
        if token[:1] == "\\" and name in (*_FUNCTIONS, *_BOUNDS):
            base = row(base, operator("\u2061"), *[space(_GAPS[","])] * (self.next not in ("(", "\\left", "{", "")))
        return base

    def argument(self) -> str:
        """A group in braces, or one element."""
        if self.next != "{":
            return self.element()
        self.take()
        found = self.until("}")
        self.take("}")
        return found

    def element(self) -> str:
        token = self.take()
        if token[0] == "\\":
            return self.command(token)
        if token == "{":
            self.place -= 1
            return self.argument()
        if token in "}&_^":
            raise self.error(f"{token} has no place here")
        if token.isalpha():
            return identifier(token)
        if token[0].isdigit():
            return number(token)
        return bracket(token) if token in "()[]|" else operator(token)

    def command(self, token: str) -> str:
        name = token[1:]
        if token.startswith(r"\text{"):
            return text(token[len(r"\text{") : -1])
        if name in _LETTERS or name in _FUNCTIONS:
            return identifier(_LETTERS.get(name, name))
        if name in _SIGNS or name in _SUMS:
            return operator(_SIGNS.get(name) or _SUMS[name])
        if name in _BOUNDS:
            return tagged("mo", name, movablelimits="false", lspace="0", rspace="0")
        if name in _BRACKETS:
            return bracket(_BRACKETS[name])
        if name in _GAPS:
            return space(_GAPS[name])
        if name == "frac":
            return fraction(self.argument(), self.argument())
        if name == "sqrt":
            return self.root()
        if name in _ACCENTS:
            return tagged("mover", self.argument() + operator(_ACCENTS[name]), accent="true")
        if name == "mathbf":
            self.take("{")
            letter = self.take()
            self.take("}")
            if letter not in _BOLD:
                raise self.error(f"{letter} is no letter")
            return identifier(_BOLD[letter])
        if name == "left":
            return self.stretched()
        if token == r"\begin{cases}":
            return self.cases()
        raise self.error(f"the command {token} is not known")

    def root(self) -> str:
        if self.next != "[":
            return tagged("msqrt", self.argument())
        self.take("[")
        degree = self.until("]")
        self.take("]")
        return tagged("mroot", self.argument() + degree)

    def stretched(self) -> str:
        """What is between ``\\left`` and ``\\right``."""
        opening = self.delimiter()
        inner = self.until("\\right")
        self.take("\\right")
        return row(opening, inner, self.delimiter())

    def delimiter(self) -> str:
        token = self.take()
        sign = _BRACKETS.get(token[1:], "") if token[0] == "\\" else token
        if sign == ".":
            return row()
        if not sign or sign not in "()[]{}|‖⌊⌋":
            raise self.error(f"{token} is no bracket")
        return bracket(sign, stretchy=True)

    def cases(self) -> str:
        r"""Values and their conditions, up to ``\end{cases}``."""
        end, rows = r"\end{cases}", []
        while self.next != end:
            cells = [self.until("&", r"\\", end)]
            while self.next == "&":
                self.take()
                cells.append(self.until("&", r"\\", end))
            if self.next == r"\\":
                self.take()
            rows.append(tagged("mtr", "".join(tagged("mtd", cell, style="text-align: left") for cell in cells)))
        self.take(end)
        return row(bracket("{", stretchy=True), tagged("mtable", "".join(rows)))
