"""The modules of Hugging Face's `evaluate` that metrologue does not have: what each one is, and what to use here.

They are in ``hub_names.toml``. A name leaves it when a metric gets it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any


@cache
def hub_names() -> dict[str, tuple[str, str]]:
    """By name, what the Hub's module gives; and what is near it here, empty if nothing is."""
    import tomllib  # only messages need it

    described = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {name: (about, instead) for name, (about, instead) in described.items()}


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
    about, instead = described
    return f"on the Hub, it is {about}. {f'Here, {instead}.' if instead else 'There is nothing like it here.'}"
