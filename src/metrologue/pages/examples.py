"""The texts with which the page of a metric opens, and three for a click that each show one cause of a difference."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from metrologue.pages.boxes import boxes, predictions_of
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.homes import texts_beside
from metrologue.scorers.families.dialogues import CONTEXTS, OfDialogues

# So many examples stand on a page.
SHOWN = 3

# What follows the words of a prediction in a text that a metric needs, and for which there is no example.
_MORE = "There was more to tell."


def opening(metric: str) -> tuple[str, str]:
    """The predictions and the references that the page of a metric opens with.

    Examples
    --------
    >>> opening("bleu")[0][:13], opening("perplexity")[1]
    ('It is a guide', '')
    """
    scorer, openings = get_scorer(metric), _file()["openings"]
    with_references = scorer.input("references") is not None
    if scorer.input(CONTEXTS):
        predictions, references = openings["dialogue"]["predictions"], openings["dialogue"]["references"]
        # Without an empty line, they would be the turns of one dialogue.
        separated = predictions.replace("\n", "\n\n") if issubclass(scorer, OfDialogues) else predictions
        return separated, references if with_references else ""
    declared = (page for page in pages_of(scorer) if "predictions" in page)  # it does not read free text
    texts = next(declared, openings["usual" if with_references else "alone"])
    return texts["predictions"], texts["references"]


def opening_inputs(metric: str) -> dict[str, str]:
    """What the other boxes of that page open with: something if the metric needs it, or it goes with the predictions.

    Examples
    --------
    >>> opening_inputs("usr")["facts"][:18], opening_inputs("bleu")
    ('A penguin swims at', {})
    """
    scorer = get_scorer(metric)
    own = next((page for page in pages_of(scorer) if "predictions" in page), {})
    given = _file()["openings"]["dialogue"] if scorer.input(CONTEXTS) else own
    return filled(metric, opening(metric)[0], given)


def opening_systems() -> tuple[str, str, str]:
    """The texts of two systems and their references, with which the page of a test opens."""
    texts = _file()["systems"]
    return texts["first"], texts["second"], texts["references"]


def filled(metric: str, predictions: str, given: Mapping[str, str]) -> dict[str, str]:
    """The texts of the other boxes: what is given, or what the metric needs: the words of each prediction and more.

    Examples
    --------
    >>> filled("usr", "Yes.", {"facts": "It rains."})
    {'contexts': '', 'facts': 'It rains.'}
    """
    units = predictions_of(get_scorer(metric), predictions)
    longer = "\n".join(f"{' '.join(unit.split())} {_MORE}" for unit in units)
    return {name: given.get(name, longer if each.required else "") for name, each in boxes([metric]).items()}


@dataclass(frozen=True)
class Example:
    """Texts for which two variants differ by one choice.

    Attributes
    ----------
    title : str
    predictions, references : str
        As the boxes of a page take them.
    variants : tuple of two str
    cause : str
        The choice that makes the difference.
    inputs : dict of str to str
        The texts of the other boxes, by the names of the metric's inputs.
    """

    title: str
    predictions: str
    references: str
    variants: tuple[str, str]
    cause: str
    inputs: Mapping[str, str]


def examples(metric: str) -> list[Example]:
    """The examples of a metric; none if its variants never differ, or if they need a model.

    Examples
    --------
    >>> [each.cause for each in examples("bleu")][0]
    'tokenizer'
    """
    made = []
    page = next(iter(pages_of(get_scorer(metric))), {})
    for title, first, second, cause in page.get("examples", ()):
        texts = _file()["texts"][title]
        predictions, references = texts["predictions"], texts["references"]
        made.append(Example(title, predictions, references, (first, second), cause, filled(metric, predictions, texts)))
    return made


@cache
def pages_of(kind: type[Scorer]) -> list[dict[str, Any]]:
    """What the homes of a metric say of its page in ``page.toml``, the nearest first."""
    return [*map(tomllib.loads, texts_beside(kind, "page.toml"))]


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "examples.toml").read_text("utf-8"))
