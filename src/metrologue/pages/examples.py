"""The texts with which the page of a metric opens, and three for a click that each show one cause of a difference."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from metrologue.pages.boxes import boxes, predictions_of
from metrologue.scorers import get_scorer
from metrologue.scorers.apes import Apes
from metrologue.scorers.cider import Cider
from metrologue.scorers.dae import Dae
from metrologue.scorers.families.classification.base import OfLabels
from metrologue.scorers.families.dialogues import CONTEXTS, OfDialogues
from metrologue.scorers.families.hashed_words import HashedWords
from metrologue.scorers.families.token_probabilities import TokenProbabilities
from metrologue.scorers.huse import Huse
from metrologue.scorers.peak import Peak
from metrologue.scorers.spice import Spice

__all__ = ["SHOWN", "Example", "examples", "filled", "opening", "opening_inputs"]

# So many examples stand on a page.
SHOWN = 3

_PREDICTION = "It is a guide to action which ensures that the military always obeys the commands of the party."
_REFERENCES = """\
It is a guide to action that ensures that the military will forever heed Party commands.
It is the guiding principle which guarantees the military forces always being under the command of the Party.
It is the practical guide for the army always to heed the directions of the party."""

# A judgement, a log-probability and a number of tokens of each text. Every second text is by a model.
_JUDGED = """\
3.8 -22.1 9
3.1 -17.8 13
4.7 -13.8 6
3.5 -44.0 14
3.4 -31.7 13
3.1 -15.4 12
4.6 -17.2 8
3.2 -8.0 6
4.1 -16.3 6
2.4 -16.4 10
3.8 -18.0 12
3.2 -10.2 12
4.3 -19.6 8
2.8 -12.1 8
4.3 -19.6 12
2.7 -17.7 12
3.5 -27.4 11
4.0 -9.6 9
5 -8.4 6
3.1 -8.6 8"""

_CAPTIONS = """\
a dog runs on the grass
a man rides a horse
two girls eat ice cream"""
_CAPTIONED = """\
a brown dog runs across the grass
a dog is running on the grass

a man is riding a horse
a man rides a brown horse on the beach

two girls are eating ice cream
two girls eat ice cream on a bench"""

# Responses, what people said in their place, the turns before each, and a fact for each.
_RESPONSES = ("Yes, they swim faster than I can run.", "I do not know.")
_ANSWERS = "I think that they are good at it.\nI see. Do you like sports?"
_CONTEXTS = """\
Hi! What did you do at the weekend?
I went to the zoo. I love penguins!
Penguins are great. Did you see them swim?

Hi! What did you do at the weekend?
I do not know.
Do you like animals?"""
_FACTS = "A penguin swims at 10 km per hour, and some at 35.\nMost people like animals."

# What the page of a metric opens with, if the metric does not read free text: predictions and references.
_OPENINGS: Mapping[Any, tuple[str, str]] = {
    TokenProbabilities: ("0.5 0.25 0.125\n0.9 0.5", ""),
    HashedWords: ("cat:0.5 dog:0.3 :0.2\nmat:0.6 hat:0.2", "cat\nhat"),
    Spice: (
        '[["girl"], ["girl", "young"], ["girl", "ride", "bicycle"]]',
        '[["girl"], ["girl", "little"], ["bike"], ["bike", "red"], ["girl", "ride", "bike"]]',
    ),
    Peak: (
        "a train | hit | a red truck; nobody | was | hurt",
        "the train | hit | a truck; it | was | raining\na train | hit | the truck; nobody | was | hurt",
    ),
    Dae: (
        "The cat slept on a mat.\nA dog sold the old car.",
        "The cat slept on the mat all afternoon.\nA man sold the old car to a dog.",
    ),
    Apes: (
        "Later Anna met Bo.\nOn Monday the train left Rome.",
        "Yesterday Anna met Bo in Rome.\nThen the train left Rome on Monday at 9.",
    ),
    # Of one image alone, every n-gram is in every document, and the score is 0.
    Cider: (_CAPTIONS, _CAPTIONED),
    Huse: (_JUDGED, "\n".join(["human", "model"] * 10)),
    OfLabels: ("1\n0\n1\n0\n0", "1\n0\n0\n0\n1"),
}

# Texts with which the page of any other metric without references opens: some words and phrases occur again.
_TEXTS = """\
The cat sat on the mat and looked at the dog in the garden.
The dog sat on the grass and looked at the cat on the mat.
A bird sang in the old tree while the cat slept on the mat.
Then the rain fell, and all of them ran into the house.
Nobody had closed the kitchen window, so the floor was wet.
They waited there until the sun came out again."""

# What follows the words of a prediction in a text that a metric needs, and for which there is no example.
_MORE = "There was more to tell."


def opening(metric: str) -> tuple[str, str]:
    """The predictions and the references that the page of a metric opens with.

    Examples
    --------
    >>> opening("bleu")[0][:13], opening("perplexity")[1]
    ('It is a guide', '')
    """
    scorer = get_scorer(metric)
    if scorer.input(CONTEXTS):
        end = "\n\n" if issubclass(scorer, OfDialogues) else "\n"
        return end.join(_RESPONSES), _ANSWERS if scorer.input("references") else ""
    usual = (_PREDICTION, _REFERENCES) if scorer.input("references") else (_TEXTS, "")
    return next((found for kind, found in _OPENINGS.items() if issubclass(scorer, kind)), usual)


def opening_inputs(metric: str) -> dict[str, str]:
    """What the other boxes of that page open with: something if the metric needs it, or it goes with the predictions.

    Examples
    --------
    >>> opening_inputs("usr")["facts"][:18], opening_inputs("bleu")
    ('A penguin swims at', {})
    """
    of_dialogues = {CONTEXTS: _CONTEXTS, "facts": _FACTS} if get_scorer(metric).input(CONTEXTS) else {}
    return filled(metric, opening(metric)[0], of_dialogues)


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
    found, made = _file(), []
    for title, first, second, cause in found["examples"].get(metric, ()):
        texts = found["texts"][title]
        predictions, references = texts["predictions"], texts["references"]
        made.append(Example(title, predictions, references, (first, second), cause, filled(metric, predictions, texts)))
    return made


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "examples.toml").read_text("utf-8"))
