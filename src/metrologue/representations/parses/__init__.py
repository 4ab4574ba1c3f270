"""Parses: lemmas, tags, heads, relations and entities of the tokens of texts, by whatever parser gives them."""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
