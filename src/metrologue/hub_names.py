"""The modules of Hugging Face's `evaluate`: which are here; what each other one is, and what to use in its place.

They are in ``hub_names.toml``. A name leaves its table of missing modules when a metric gets it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any


@cache
def hub_names() -> dict[str, tuple[str, str] | None]:
    """Each of the Hub's modules by name: None if it is here; otherwise what it gives, and what is near it here.

    What is near it is empty if there is nothing like it.

    Examples
    --------
    >>> hub_names()["bleu"], hub_names()["mse"]
    (None, ('the mean squared error of numbers', ''))
    """
    import tomllib  # only messages need it

    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    missing = {name: (about, instead) for name, (about, instead) in table["missing"].items()}
    return {name: missing.get(name) for name in table["modules"]}


def told_of_hub_name(name: Any) -> str | None:
    """What is known of a module of the Hub that is not here; None for other names.

    Examples
    --------
    >>> told_of_hub_name("xnli")
    "on the Hub, it is the accuracy of labels. Here, 'accuracy' gives it."
    >>> told_of_hub_name("MAE"), told_of_hub_name("bleu")
    ('on the Hub, it is the mean absolute error of numbers. There is nothing like it here.', None)
    """
    described = hub_names().get(name.casefold().replace("-", "_")) if isinstance(name, str) else None
    if described is None:
        return None
    return f"on the Hub, it is {described[0]}. {instead_of_hub_module(described[1])}"


def instead_of_hub_module(instead: str) -> str:
    """What is near a module of the Hub here, as a sentence."""
    return f"Here, {instead}." if instead else "There is nothing like it here."
