"""Any function as a parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.representations.parses.columns import Parses, Token

__all__ = ["FunctionParser"]

_SHOWN = 12


class FunctionParser:
    """A function that parses texts, under a name and a digest that stand for it in signatures.

    Parameters
    ----------
    name : str
    function : callable
        From a list of texts to a list with the tokens of each. A token is a ``Token``, or a dict with some of its
        fields, such as ``{"form": "Cats", "lemma": "cat", "tag": "NNS"}``. None stands for a text without a parse.
    digest : str
        A text that identifies this version of the function.

    Raises
    ------
    InputError
        If the name or the digest cannot be part of a signature, or `function` is no function.

    Examples
    --------
    >>> words = FunctionParser("words", lambda texts: [[Token(w, w.lower()) for w in t.split()] for t in texts], "1")
    >>> words.parse(["A cat"]).texts("lemmas", 0)
    ['a', 'cat']
    """

    def __init__(self, name: str, function: Callable[[list[str]], Sequence[Any]], digest: str) -> None:
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"FunctionParser: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"FunctionParser: `function` is {shown(function)}; a callable is expected.")
        self.name, self._function = f"{name}@{digest[:_SHOWN]}", function

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses that the function gives.

        Raises
        ------
        InputError
            If there are not as many as texts, or one is no list of tokens.
        """
        found = self._function([*texts])
        if len(found) != len(texts):
            raise InputError(f"{self.name}: {len(texts)} texts went in, but parses of {len(found)} came back.")
        return Parses.of_texts(
            texts, [None if own is None else [self._token(each, i) for each in own] for i, own in enumerate(found)]
        )

    def _token(self, given: Any, index: int) -> Token:
        try:
            token = Token(**given) if isinstance(given, Mapping) else Token(*given)
        except TypeError:
            token = None
        kinds = [int if name in ("head", "sentence") else str for name in Token._fields]
        if token is None or isinstance(given, str) or not all(map(isinstance, token, kinds)):
            raise InputError.at(self.name, "texts", index, f" has the token {shown(given)}; a Token is expected.")
        return token
