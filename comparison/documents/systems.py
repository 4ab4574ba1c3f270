"""Every system that the five documents name, from ``systems.toml``: what answers for it, or why nothing does."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

from metrologue.errors import InputError

__all__ = ["DOCUMENTS", "FILE", "load_systems"]

FILE = "systems.toml"
DOCUMENTS: Mapping[str, str] = {
    "PL": "Polish notebook",
    "LM": "lecture on language models",
    "RU": "Russian notes on metrics and dialogue",
    "ZH": "Chinese notes",
    "EN": "English notebook",
}
_NEEDED = {"name", "documents"}
_KNOWN = {*_NEEDED, "words", "module", "variant", "checked", "reached", "at", "needs", "because"}


def load_systems() -> dict[str, list[dict[str, str]]]:
    """The entries of the file by kind: "built", "named", "data" and "protocol".

    Raises
    ------
    InputError
        If an entry lacks its name, its documents, both a module and a reason, or the place of its figures; if a key or
        a document is unknown.

    Examples
    --------
    >>> from metrologue.comparison.documents.systems import load_systems
    >>> systems = load_systems()
    >>> systems["built"][0]["module"], len(systems["named"])
    ('bleu', 17)
    """
    text = (resources.files(__package__) / FILE).read_text("utf-8")
    found: dict[str, list[dict[str, str]]] = tomllib.loads(text)
    for kind, entries in found.items():
        for place, entry in enumerate(entries):
            where = f"{FILE}: {kind}[{place}]"
            if missing := sorted(_NEEDED - {*entry}):
                raise InputError(f"{where} has no {missing[0]!r}.")
            if unknown := sorted({*entry} - _KNOWN):
                raise InputError(f"{where} ({entry['name']}) has an unknown {unknown[0]!r}.")
            if strange := sorted({*entry["documents"].split()} - {*DOCUMENTS}):
                raise InputError(f"{where} ({entry['name']}) names the document {strange[0]!r}, which there is not.")
            if not {"module", "because"} & {*entry}:
                raise InputError(f"{where} ({entry['name']}) has neither a module nor a reason.")
            if ("reached" in entry) != ("at" in entry):
                raise InputError(f"{where} ({entry['name']}) has 'reached' or 'at' alone; figures have a place.")
    return found
