"""The definition of each metric, typeset: MathML in HTML, with the names of its quantities explained.

The definitions are data: formula.tex in the home of each metric. They are typeset when a page is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from typing import NamedTuple

from metrologue.errors import InputError, instead_of
from metrologue.scorers.core.homes import file_in_home, homes
from metrologue.tracing.typeset import from_latex

# For a page that shows formulas. They have the colour of the text around them.
STYLE = """\
figure.formula { display: block; width: auto; max-width: none; margin: 1em 0; text-align: start }
.formula-line { overflow-x: auto; overflow-y: hidden; padding: .3em 0 }
.formula math { font-size: 1.15em }
.formula-line math { width: max-content; margin: 0 auto }
.formula-names { display: grid; grid-template-columns: max-content 1fr; gap: .3em 1em; margin: .6em 0 0 }
.formula .formula-names .formula-symbol { margin: 0; text-align: end }
.formula .formula-names dd.formula-meaning { margin: 0 }
"""


class Definition(NamedTuple):
    """A metric's definition.

    Attributes
    ----------
    lines : tuple of str
        Formulas in LaTeX; the first one is the score.
    quantities : dict of str to str
        What each symbol is; the symbols are LaTeX too.
    """

    lines: tuple[str, ...]
    quantities: Mapping[str, str]


def list_definitions() -> list[str]:
    """The names of the metrics that have a definition here.

    Examples
    --------
    >>> "bleu" in list_definitions()
    True
    """
    return [*_definitions()]


def definition_of(metric: str) -> Definition:
    """The definition of a metric.

    Parameters
    ----------
    metric : str
        One of ``list_definitions()``.

    Raises
    ------
    InputError
        If it has none.

    Examples
    --------
    >>> definition_of("bleu").quantities["c"]
    'tokens of the hypotheses'
    """
    if metric not in _definitions():
        raise InputError(f"metric: {instead_of(metric, list_definitions())}")
    return _definitions()[metric]


def definition_html(metric: str) -> str:
    """The definition of a metric, typeset; ``STYLE`` is its stylesheet.

    Parameters
    ----------
    metric : str
        One of ``list_definitions()``.

    Returns
    -------
    str
        A ``figure`` of HTML: a ``math`` for each line, and a list of the quantities. It needs no script.

    Raises
    ------
    InputError
        If the metric has no definition.

    Examples
    --------
    >>> shown = definition_html("bleu")
    >>> shown.count("formula-line"), "tokens of the hypotheses" in shown
    (3, True)
    """
    lines, quantities = definition_of(metric)
    shown = "".join(map(_line, map(from_latex, lines)))
    names = "".join(
        f'<dt class="formula-symbol">{from_latex(symbol, inline=True)}</dt>'
        f'<dd class="formula-meaning">{escape(meaning)}</dd>'
        for symbol, meaning in quantities.items()
    )
    explained = f'<dl class="formula-names">{names}</dl>' if names else ""
    return f'<figure class="formula">{shown}{explained}</figure>'


def _line(math: str) -> str:
    """A formula that scrolls where it is wider than the page, also by the keys."""
    return f'<div class="formula-line" role="group" aria-label="Formula" tabindex="0">{math}</div>'


@cache
def _definitions() -> dict[str, Definition]:
    """All definitions, by the name of their metric."""
    files = {name: file_in_home(name, "formula.tex") for name in homes()}
    return {name: _definition(file.read_text("utf-8")) for name, file in files.items() if file}


def _definition(text: str) -> Definition:
    """A definition from its file: a formula on each line, then comments such as ``% p_n : precision of order n``."""
    lines = text.splitlines()
    quantities = dict(line[2:].split(" : ", 1) for line in lines if line.startswith("% "))
    return Definition(tuple(line for line in lines if not line.startswith("%")), quantities)
