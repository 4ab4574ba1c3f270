"""The elements of MathML Core, the part of MathML that all browsers draw."""

from __future__ import annotations

from html import escape

__all__ = ["bracket", "fraction", "identifier", "math", "number", "operator", "row", "space", "tagged", "text"]

NAMESPACE = "http://www.w3.org/1998/Math/MathML"


def tagged(tag: str, content: str, **attributes: str) -> str:
    """An element with this content, which is MathML."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{given}>{content}</{tag}>"


def identifier(name: str) -> str:
    """A variable, or the name of a function. One letter is slanted."""
    return tagged("mi", escape(name))


def number(digits: str) -> str:
    """A number, as it is to be read."""
    return tagged("mn", escape(digits))


def text(words: str) -> str:
    """Upright words. Their spaces are kept.

    It is an identifier, because ``mtext`` counts as a space: an operator after it would be taken for a sign before the
    next element.
    """
    return tagged("mi", escape(words).replace(" ", "\u00a0"), mathvariant="normal")


def operator(sign: str) -> str:
    """An operator or a relation. A hyphen is a minus."""
    return tagged("mo", escape(sign.replace("-", "\u2212")))


def bracket(sign: str, stretchy: bool = False) -> str:
    """A bracket or a bar, as tall as its neighbours if it is stretchy."""
    return tagged("mo", escape(sign), fence="true", lspace="0", rspace="0", stretchy=str(stretchy).lower())


def space(width: str) -> str:
    """A gap of this width."""
    return f'<mspace width="{width}"/>'


def row(*parts: str) -> str:
    """Several elements as one."""
    return parts[0] if len(parts) == 1 else tagged("mrow", "".join(parts))


def fraction(above: str, below: str) -> str:
    """A fraction."""
    return tagged("mfrac", above + below)


def math(content: str, spoken: str, inline: bool = False) -> str:
    """A formula, in a line of text or on a line of its own. `spoken` is what a reader without MathML says."""
    return tagged("math", content, xmlns=NAMESPACE, display="inline" if inline else "block", alttext=spoken)
