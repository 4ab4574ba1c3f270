"""Every keyword of a library's function is drawn by the contract, or ``keywords.toml`` says why not."""

from __future__ import annotations

import inspect
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from parity.options import PEERS

from metrologue.comparison.libraries import Missing
from metrologue.comparison.libraries.hub import load
from metrologue.comparison.libraries.lexical_diversity import lex_div
from metrologue.comparison.libraries.pypi import _module as hlepor
from metrologue.scorers import get_scorer, list_scorers

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("keywords.toml").read_text("utf-8"))
CALLS: list[dict[str, Any]] = TABLE["calls"]
LIVE = sorted(
    {each.live for name in list_scorers() for each in get_scorer(name).variants().values() if each.live is not None}
)


@cache
def drawn(live: str) -> frozenset[str]:
    """The options that the contract draws for a call."""
    names: set[str] = set()
    calls = PEERS[live].calls if live in PEERS else None
    if calls is not None:

        @settings(max_examples=60, database=None)
        @given(call=calls)
        def collect(call: tuple[dict[str, Any], dict[str, Any]]) -> None:
            names.update(call[0])

        collect()
    return frozenset(names)


def keywords(function: str) -> list[str]:
    """The names of a function's parameters; of a module of the Hub, beside its two columns."""
    module, _, path = function.partition(":")
    if module == "hub":
        found = load(path)
        if isinstance(found, Missing):
            pytest.skip(str(found))
        return [name for name in inspect.signature(found._compute).parameters if name not in COLUMNS]
    if module == "lexical_diversity.lex_div":
        lex_div()  # which needs a stand-in to be imported
    if module == "hlepor.hlepor":
        hlepor()
    try:
        value: Any = import_module(module)
    except ImportError as error:
        pytest.skip(str(error))
    for name in path.split("."):
        value = getattr(value, name)
    return [*inspect.signature(value).parameters]


COLUMNS = ("predictions", "references")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call['live'][0]}-{call['function']}")
@pytest.mark.usefixtures("hub_modules", "perluniprops")
def test_every_keyword_is_drawn_or_has_a_reason(call: dict[str, Any]) -> None:
    told = [*call.get("texts", ()), *call.get("drawn", {}), *call.get("not", {})]
    assert len(told) == len({*told})
    assert {*keywords(call["function"])} == {*told}
    for live in call["live"]:
        assert {*call.get("drawn", {}).values()} <= drawn(live), live
    assert all(call.get("not", {}).values())


def test_every_live_call_is_in_the_table() -> None:
    of_functions = {live for call in CALLS for live in call["live"]}
    assert of_functions | TABLE["without"].keys() == {*LIVE}
    assert not of_functions & TABLE["without"].keys()
