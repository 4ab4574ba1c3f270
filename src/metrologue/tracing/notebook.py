"""Small pieces of HTML for a notebook: tables and bars, in the colours of the page around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_CELL = "text-align:{align};padding:0 .8em 0 0;vertical-align:baseline"
# These colours suit a light page and a dark one.
_MORE, _LESS = "#3a9d5d", "#d1603d"


class Markup(str):
    """HTML that this module has made. All other text is escaped, whatever it looks like.

    A piece that is cut out of it, or joined to other text, is text again.

    Examples
    --------
    >>> block(Markup("<b>a</b>"), "<b>a</b>")
    '<div><b>a</b>&lt;b&gt;a&lt;/b&gt;</div>'
    """

    __slots__ = ()

    def __html__(self) -> str:
        """The HTML, for templates."""
        return str(self)


def _html(text: str) -> str:
    return text if isinstance(text, Markup) else escape(text)


def block(*parts: str) -> Markup:
    """The parts in one element.

    Examples
    --------
    >>> block(note("a < b"))
    '<div><p style="margin:.4em 0;font-size:85%;opacity:.8;overflow-wrap:anywhere">a &lt; b</p></div>'
    """
    return Markup(f"<div>{''.join(map(_html, parts))}</div>")


def note(text: str) -> Markup:
    """A small line of text."""
    return Markup(f'<p style="margin:.4em 0;font-size:85%;opacity:.8;overflow-wrap:anywhere">{escape(text)}</p>')


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Markup:
    """A table. Its first columns are words and the others are numbers. A cell can be a ``bar``.

    Parameters
    ----------
    caption : str
    header : sequence of k str
    rows : iterable of sequences of k str
    words : int
        How many columns are words.
    """

    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(
            f'<{tag} style="{_CELL.format(align="left" if i < words else "right")}">{_html(cell)}</{tag}>'
            for i, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    caption = f'<caption style="text-align:left;font-weight:bold">{escape(caption)}</caption>'
    head = f"<thead><tr>{cells(header, 'th')}</tr></thead>"
    style = "border-collapse:collapse;color:inherit;font-size:inherit"
    return Markup(f'<table style="{style}">{caption}{head}<tbody>{body}</tbody></table>')


def bar(value: float, largest: float) -> Markup:
    """A bar to the right of the middle for a positive value and to the left for a negative one.

    Parameters
    ----------
    value : float
    largest : float
        The magnitude that fills a whole side.
    """
    width = 50 * min(1.0, abs(value) / largest) if largest else 0.0
    left = 50.0 if value >= 0 else 50 - width
    return Markup(
        '<span style="display:inline-block;position:relative;width:12em;height:.8em;border-left:1px solid transparent">'
        '<span style="position:absolute;left:50%;top:-.1em;height:1em;border-left:1px solid currentColor;opacity:.4">'
        f'</span><span style="position:absolute;left:{left:.1f}%;width:{width:.1f}%;height:100%;'
        f'background:{_MORE if value >= 0 else _LESS}"></span></span>'
    )
