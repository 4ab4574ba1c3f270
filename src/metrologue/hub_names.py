"""The modules of Hugging Face's `evaluate`: which are here; what each other one is, and what to use in its place.

They are in ``hub_names.toml``, with a few metrics of others. A name leaves its table when a metric gets it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any


@cache
def _tables() -> dict[str, Any]:
    import tomllib  # only messages need it

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@cache
def hub_names() -> dict[str, tuple[str, str] | None]:
    """Each of the Hub's modules by name: None if it is here; otherwise what it gives, and our closest metric.

    The closest metric is empty if there is nothing like it.

    Examples
    --------
    >>> hub_names()["bleu"], hub_names()["mae"]
    (None, ('the mean absolute error of numbers', ''))
    """
    missing = {name: (about, instead) for name, (about, instead) in _tables()["missing"].items()}
    return {name: missing.get(name) for name in _tables()["modules"]}


def told_of_absent(name: Any) -> str | None:
    """What is known of a metric that is not here, such as a module of the Hub; None for other names.

    Examples
    --------
    >>> told_of_absent("mae")
    'on the Hub, it is the mean absolute error of numbers. There is nothing like it here.'
    >>> told_of_absent("bleu") is None
    True
    """
    folded = name.casefold().replace("-", "_") if isinstance(name, str) else ""
    if described := hub_names().get(folded):
        return f"on the Hub, it is {described[0]}. {instead_of_hub_module(described[1])}"
    if described := _tables()["others"].get(folded):
        return f"it is {described[0]}. {instead_of_hub_module(described[1])}"
    return None


def instead_of_hub_module(instead: str) -> str:
    """What is near a module of the Hub here, as a sentence."""
    return f"Here, {instead}." if instead else "There is nothing like it here."
