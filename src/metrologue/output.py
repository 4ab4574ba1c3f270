"""Text that a reader of JSON, LaTeX, Markdown or TSV takes for text; short names; lines of a terminal."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

# What ends a line for some reader: those of ``str.splitlines``.
_LINE_ENDS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# What begins emphasis, code or a link in Markdown. A sign that cannot do so where it is, as in a_b, stays as it is.
_INLINE = re.compile(r"[\\`]|(?<![^\W_])[*_]|\*(?=[^\W_])|_(?![^\W_])|~(?=~)|\](?=[(\[])")
# What begins a heading, a list or the address of a link at the start of a line.
_START = re.compile(r"#|[+-](?![\w.])|\[(?=\s*[^\s\]][^\]]*\]:)|(?P<number>\d+)(?=[.)](\s|$))")
# What may begin or end HTML, an entity or a formula: not "p < .05". Each kind of Markdown reads entities, also one that
# knows no backslash before these signs.
_HTML = re.compile(r"<(?![\s\d.=])|(?<!\s)>|&(?=#?\w+;)|\$")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
# What spreadsheets take for a formula at the start of a cell, with the wide forms of East Asia.
_FORMULA = tuple("=+-@\t\r＝＋－＠")

_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",  # this and the next two are other signs in LaTeX's oldest fonts
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "−": "$-$",  # the minus sign
}


def in_json(value: Any) -> Any:
    """Plain values as JSON has them: an infinite number is the text "Infinity" or "-Infinity".

    JSON has no infinite numbers (RFC 8259, section 6). ``json.dumps`` would write the bare word Infinity, which most
    other readers refuse. A null would say that there is no number. The text is that of Protocol Buffers' JSON. Python's
    ``float``, JavaScript's ``Number`` and pandas' ``to_numeric`` read it as the number.

    Parameters
    ----------
    value : mapping, list, tuple, str, number, bool or None
        Also an array or a number of NumPy, and what has a ``to_dict``, such as a ``Result`` or an ``Explanation``.

    Examples
    --------
    >>> in_json({"value": math.inf, "segments": [1, -math.inf]})
    {'value': 'Infinity', 'segments': [1, '-Infinity']}
    >>> float("Infinity")
    inf
    """
    if hasattr(value, "tolist"):  # an array of NumPy, or a number of it
        value = value.tolist()
    elif hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: in_json(each) for key, each in value.items()}
    return [in_json(each) for each in value] if isinstance(value, list | tuple) else value


def as_json(value: Any) -> str:
    """JSON text of plain values, on several lines. Infinite numbers are as in ``in_json``.

    Raises
    ------
    ValueError
        If a number is NaN.

    Examples
    --------
    >>> from metrologue.scorers import PerplexityHashed
    >>> as_json(PerplexityHashed().corpus(["cat:1"], ["dog"]).value)
    '"Infinity"'
    """
    return json.dumps(in_json(value), indent=2, ensure_ascii=False, allow_nan=False)


def one_line(text: str) -> str:
    """A text without line ends and tabs, which become a space, and without other control characters, such as ESC.

    Examples
    --------
    >>> one_line("a\\r\\nb\\x1b[31m")
    'a b�[31m'
    """
    return text if text.isprintable() else _CONTROL.sub("�", _LINE_ENDS.sub(" ", text))


def latex_text(text: str) -> str:
    """A text whose marks LaTeX prints as they are.

    Examples
    --------
    >>> print(latex_text("100 % of a_b"))
    100 \\% of a\\_b
    >>> print(latex_text("[1]--2"))
    {[}1]-{}-2
    """
    # At the start of a row of a table, "[" and "*" would be arguments of the row before. Two hyphens would be a dash.
    latex = re.sub("(?<=-)(?=-)", "{}", "".join(_LATEX.get(mark, mark) for mark in one_line(text)))
    return f"{{{latex[0]}}}{latex[1:]}" if latex[:1] in ("[", "*") else latex


def markdown_text(text: str) -> str:
    """A line of Markdown that shows a text as it is: no HTML, emphasis, link, formula or heading.

    Examples
    --------
    >>> print(markdown_text("<b>x</b> _y_ a_b [z](u) $n$"))
    &lt;b&gt;x&lt;/b&gt; \\_y\\_ a_b [z\\](u) &#36;n&#36;
    """
    line = _inline(text)
    start = _START.match(line)
    at = len(start["number"] or "") if start else 0
    return f"{line[:at]}\\{line[at:]}" if start else line


def markdown_cell(text: str) -> str:
    """A cell of a table in Markdown that shows a text as it is.

    Examples
    --------
    >>> print(markdown_cell("a|b"))
    a\\|b
    """
    return _inline(text).replace("|", r"\|")


def _inline(text: str) -> str:
    line = _INLINE.sub(r"\\\g<0>", one_line(text).strip(" "))
    return _HTML.sub(lambda found: _ENTITIES[found[0]], line)


def html_comment(text: str) -> str:
    """A comment of HTML or Markdown, which nothing in the text ends.

    Examples
    --------
    >>> html_comment("a --> b")
    '<!-- a - -> b -->'
    """
    return f"<!-- {re.sub('-(?=-)', '- ', one_line(text))} -->"


def tsv_cell(text: str) -> str:
    """A cell of tab-separated values: one line, and no formula for a spreadsheet, which shows what follows an "'".

    A number stays a number, and a sign alone stays a sign.

    Source: https://owasp.org/www-community/attacks/CSV_Injection

    Examples
    --------
    >>> [tsv_cell(text) for text in ("=1+1", "-1.5", "a\\tb", "-")]
    ["'=1+1", '-1.5', 'a b', '-']
    """
    is_formula = text.lstrip(" ").startswith(_FORMULA) and len(text) > 1 and not _NUMBER.fullmatch(text)
    return "'" * is_formula + one_line(text)


def filled(text: str, width: int, first: str = "", rest: str = "") -> str:
    """A text in lines of at most `width` characters, after indents; a signature is broken at "|" only.

    Examples
    --------
    >>> print(filled("the signature wer|variant=jiwer|mirrors=jiwer-4.0.0|metrologue=1.0", 40))
    the signature wer|variant=jiwer|
    mirrors=jiwer-4.0.0|metrologue=1.0
    """
    words = (word.replace("|", "| ") if len(word) > width - len(rest) else word for word in text.split(" "))
    lines = fill(
        " ".join(words),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return lines.replace("| ", "|") if "| " not in text else lines


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without what all of them begin and end with, at a dot, a dash or an underscore.

    Examples
    --------
    >>> short_names(["newstest.KIT.en-de", "newstest.FBK-2.en-de"])
    {'newstest.KIT.en-de': 'KIT', 'newstest.FBK-2.en-de': 'FBK-2'}
    >>> short_names(["amber.txt"])
    {'amber.txt': 'amber.txt'}
    """
    if len(names) < 2:
        return {name: name for name in names}
    start, end = _shared(names), _shared([name[::-1] for name in names])[::-1]
    start = start[: max(map(start.rfind, ".-_")) + 1]
    places = [place for mark in ".-_" if (place := end.find(mark)) >= 0]
    end = end[min(places) :] if places else ""
    return {name: name[len(start) : len(name) - len(end)] or name for name in names}


def _shared(texts: Sequence[str]) -> str:
    """The letters that all texts begin with."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
