"""What variants say that they need, and the fixtures that provide it or skip the test and say what to install."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from small_encoder import Letters

from metrologue.representations.frames import FunctionLabeller
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.models import model_field, needs_encoder

__all__ = ["FRAMES", "PARSER", "PROGRAMS", "WITH_ENCODER", "data_of", "made", "provide"]

# The metrics that have no score without an encoder.
WITH_ENCODER = tuple(name for name in list_scorers() if needs_encoder(get_scorer(name)))

# Finds a frame at the first word of each text.
FRAMES = FunctionLabeller("first", lambda texts: [[{"pred": (0, 1)}] if text else [] for text in texts], "1")

# Parses a word as itself, with its first letter as its tag. Nouns and adjectives take turns.
PARSER = FunctionParser(
    "letters",
    lambda texts: [
        [Token(w, w.lower(), w[0], "NOUN", at - 1, "amod" if at % 2 else "dep") for at, w in enumerate(text.split())]
        for text in texts
    ],
    "1",
)

# What a live library needs, and we do not: programs, and data.
PROGRAMS = ("java", "perl")
_OF_LIBRARIES = (*PROGRAMS, "perluniprops")
_FIXTURES = {
    "java": "java",
    "meteor-1.5": "meteor_tables",
    "perl": "perl",
    "perluniprops": "perluniprops",
    "punkt": "punkt_data",
    "wordnet": "wordnet",
}


def data_of(*metrics: str) -> list[str]:
    """The lexical data that our numbers need, of all variants of these metrics."""
    variants = (variant for metric in metrics for variant in get_scorer(metric).variants().values())
    return sorted({need for variant in variants for need in variant.needs} - {*_OF_LIBRARIES})


def made(name: str, variant: str | None = None, **fields: Any) -> Scorer:
    """The scorer of a metric; with a small encoder, if it has no score without one."""
    kind = get_scorer(name)
    model = {str(model_field(kind)): Letters()} if name in WITH_ENCODER else {}
    if name == "yisi" and variant in ("yisi-1-srl", "yisi-2-srl"):
        model = {"frames": FRAMES}
    values = {**model, **fields}
    return kind.variant(variant, **values) if variant else kind(**values)


def provide(request: pytest.FixtureRequest, needs: Iterable[str]) -> None:
    """Have each of these at hand, or skip the test."""
    for need in needs:
        request.getfixturevalue(_FIXTURES[need])
