"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

import json

from ladders import against
from needs import PARSER

from metrologue.text.lexicon import register_synonyms

VALUES = {"parser": PARSER, "synonyms": None}

# A word of each set of synonyms, which are alike to one word only.
ALIKE_TO_HUB = [f"word{place}" for place in range(99)]
HUB = register_synonyms("of-a-hub", [["hub", word] for word in ALIKE_TO_HUB])


def graph_of(*objects: str) -> str:
    """A tuple of each kind for each object, as JSON."""
    said = ("red",), ("two",), ("big",), ("on", "mat")
    return json.dumps([[each, *rest] for each in objects for rest in ((), *said)])


LADDER = {
    "perfect": against(graph_of("hub"), graph_of("hub")),
    "near": against(json.dumps([["hub", "red"], ["other", "two"]]), graph_of("hub")),
    "far": against(json.dumps([["hub"], ["hub", "blue"], ["hub", "three"], ["hub", "tiny"]]), graph_of("hub")),
    "unlike": against(graph_of("dog"), graph_of("hub")),
    "empty": against("[]", graph_of("hub")),
}
FURTHER = [against(graph_of(*ALIKE_TO_HUB), graph_of("hub"))]
REPORTING = [{"synonyms": HUB}]
