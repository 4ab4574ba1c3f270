"""How RUBER's classifier is trained: responses against those of other dialogues."""

from __future__ import annotations

from functools import partial

from metrologue.learned.exchanges import read_exchanges
from metrologue.learned.recipes import Recipe
from metrologue.learned.training import Mlp

RECIPE = Recipe(
    "sentence vectors of one encoder or several, of a response and of the turn before it",
    partial(Mlp, hidden=(64,), head="classes"),
    encoders=True,
    labels=True,
    reader=read_exchanges,
)
