"""Exchanges: responses with what was said before them, and responses from elsewhere, to train a classifier on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from metrologue.errors import InputError
from metrologue.files.objects import JsonRecord, json_lines
from metrologue.files.turns import lines_of
from metrologue.learned.examples import Examples


def exchanges_of(dialogues: Sequence[Sequence[str]], seed: int = 0) -> Examples:
    """Each turn with the turn before it, labelled 1, and with a turn of another dialogue in its place, labelled 0.

    Raises an InputError if fewer than two dialogues have two turns.

    Parameters
    ----------
    dialogues : n sequences of str
        The turns of each.
    seed : int
        Of the turns from elsewhere.

    Returns
    -------
    Examples
        The reference is the turn before; each dialogue is a group.

    Examples
    --------
    >>> found = exchanges_of([["Hi!", "Hello."], ["What time is it?", "Noon."]])
    >>> found.predictions, found.targets
    (('Hello.', 'Noon.', 'Noon.', 'Hello.'), array([1., 0., 1., 0.]))
    >>> found.references[:2], found.groups[:2]
    ((('Hi!',), ('Hi!',)), ('dialogue 1', 'dialogue 1'))
    """
    several = [turns for turns in dialogues if len(turns) > 1]
    if len(several) < 2:
        raise InputError(
            f"train: {len(several)} dialogues have two turns or more; two are needed, because the wrong responses are "
            "those of others."
        )
    draws = np.random.default_rng(seed)
    responses, befores, groups = [], [], []
    for place, turns in enumerate(several):
        for before, response in pairwise(turns):
            other = several[(place + 1 + int(draws.integers(len(several) - 1))) % len(several)]
            responses += [response, other[1 + int(draws.integers(len(other) - 1))]]
            befores += [before, before]
            groups += [f"dialogue {place + 1}"] * 2
    return Examples(
        predictions=tuple(responses),
        references=tuple((before,) for before in befores),
        targets=np.tile([1.0, 0.0], len(responses) // 2),
        groups=tuple(groups),
        labels=True,
    )


def read_exchanges(path: str | os.PathLike[str]) -> Examples:
    """The exchanges of a file: JSON Lines, each with ``turns``, a list of texts or a text with a turn on each line.

    Raises an InputError if a line has no turns, or fewer than two dialogues have two.

    Examples
    --------
    >>> from metrologue.learned.store import DIALOGUES
    >>> len(read_exchanges(DIALOGUES)) > 50
    True
    """
    return exchanges_of([recorded_turns(record, "turns") for record in json_lines(path)])


def recorded_turns(record: JsonRecord, key: str) -> list[str]:
    """The turns under a key: a list of texts, or the lines of a text.

    Raises an InputError if it is neither, or there are none.
    """
    turns = lines_of(record.turns(key) or "")
    if not turns:
        raise InputError(f"{record.where}: there are no {key!r}; a list of texts is expected.")
    return turns
