"""The templates of the pages. The report and the Spaces have their parts from here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from metrologue.pages.formulas import STYLE
from metrologue.tracing.notebook import Markup
from metrologue.tracing.spelling import direction

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader("metrologue.pages"), PackageLoader("metrologue.comparison.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["direction"] = direction
    environment.globals["formula_style"] = Markup(STYLE)
    return environment


def answer(part: str, **values: Any) -> str:
    """A part of a Space's answer as HTML. Whatever comes from the texts is escaped.

    Parameters
    ----------
    part : str
        A macro of ``answer.html``: "numbers", "words", "why", "all_numbers", "message" or "style".

    Examples
    --------
    >>> answer("message", text="a < b")
    '<p class="parts">a &lt; b</p>'
    """
    template = _environment().get_template("answer.html")
    return str(getattr(template.module, part)(**values)).strip()


def script() -> str:
    """The script that says of a box that it scrolls."""
    return _environment().get_template("parts.js").render()
