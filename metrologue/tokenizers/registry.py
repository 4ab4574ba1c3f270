"""Tokenizers by name."""

from __future__ import annotations

import hashlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import pyarrow as pa

from metrologue.errors import InputError

if TYPE_CHECKING:
    from metrologue.tokenizers.spans import Tokens

__all__ = ["Function", "Tokenizer", "canonical_name", "get_tokenizer", "list_tokenizers", "register_tokenizer"]

_ALIASES = {"none": "whitespace", "spm": "flores101"}
_SPANS = ("whitespace", "13a", "13a-unstripped", "13a-rust", "intl", "char", "blank")
_SACREBLEU = ("zh", "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K")


class Tokenizer(ABC):
    """Cuts every text of an Arrow array into tokens with ids."""

    @abstractmethod
    def __call__(self, texts: pa.LargeStringArray) -> Tokens:
        """Tokens of all `texts`, under one vocabulary."""


class Function(Tokenizer):
    """A tokenizer given as a Python function from one text to its list of tokens; called once for each distinct text.

    Raises
    ------
    InputError
        If the function gives something other than a list of strings.
    """

    def __init__(self, name: str, function: Callable[[str], Sequence[str]]) -> None:
        self.name = name
        self.function = function

    def __call__(self, texts: pa.LargeStringArray) -> Tokens:
        from metrologue.tokenizers.spans import name_tokens

        encoded = texts.dictionary_encode()
        tokens = [self.function(text) for text in encoded.dictionary.to_pylist()]
        for text, cut in zip(encoded.dictionary, tokens, strict=True):
            if isinstance(cut, str) or not all(isinstance(token, str) for token in cut):
                raise InputError(
                    f"tokenizer {self.name!r} gave {cut!r:.80} for {text.as_py()!r:.40}; it must give a list of str."
                )
        return name_tokens(tokens, encoded.indices.to_numpy())


_registered: dict[str, Function] = {}


def _digest(function: Callable[[str], Sequence[str]]) -> str:
    """A hash that changes with the function's source; of its qualified name where it has no source."""
    try:
        described = inspect.getsource(function)
    except (OSError, TypeError):
        owner = function if hasattr(function, "__qualname__") else type(function)
        described = f"{owner.__module__ if hasattr(owner, '__module__') else ''}.{owner.__qualname__}"
    return hashlib.sha256(described.encode()).hexdigest()


def register_tokenizer(name: str, function: Callable[[str], Sequence[str]], digest: str | None = None) -> str:
    """Make a function usable as the `tokenizer` of any scorer.

    Parameters
    ----------
    name : str
        What to call it.
    function : callable
        From a text (str) to its tokens (list of str).
    digest : str, optional
        What tells this version of the function from another, for signatures; a SHA-256 of its source by default. A
        function without source is known by its qualified name only: give a digest if its behaviour can change.

    Returns
    -------
    str
        The value for the field `tokenizer`: ``name@digest``. The bare name works as well while it is registered.

    Raises
    ------
    InputError
        If the name is a built-in tokenizer's or cannot stand in a signature.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> name = register_tokenizer("letters", lambda text: [c for c in text if c.isalpha()], digest="1")
    >>> name
    'letters@1'
    >>> Bleu(tokenizer=name, max_order=1).corpus(["a-b"], ["b a"]).value
    100.0
    """
    if name in list_tokenizers(registered=False) or not name or set("@|=") & set(name):
        raise InputError(f"register_tokenizer: `name` {name!r} is taken or holds one of @ | =; choose another.")
    full = f"{name}@{(digest or _digest(function))[:12]}"
    _registered[full] = _registered[name] = Function(full, function)
    return full


def list_tokenizers(registered: bool = True) -> list[str]:
    """Names that the field `tokenizer` takes.

    Examples
    --------
    >>> "13a" in list_tokenizers()
    True
    """
    return sorted({*_ALIASES, *_SPANS, *_SACREBLEU, *(_registered if registered else ())})


def canonical_name(name: str) -> str:
    """The one name of a tokenizer: aliases resolved, a registered one with its digest.

    Raises
    ------
    InputError
        If there is no such tokenizer.

    Examples
    --------
    >>> canonical_name("none")
    'whitespace'
    """
    if name in _registered:
        return _registered[name].name
    if name not in list_tokenizers():
        raise InputError(
            f"tokenizer {name!r} is unknown; there are {', '.join(list_tokenizers())}. "
            "Register your own with metrologue.tokenizers.register_tokenizer(name, function)."
        )
    return _ALIASES.get(name, name)


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name.

    Raises
    ------
    InputError
        If there is no such tokenizer, or what it needs is not installed.
    """
    name = canonical_name(name)
    return _registered[name] if name in _registered else _built_in(name)


@cache
def _built_in(name: str) -> Tokenizer:
    if name in _SPANS:
        from metrologue.tokenizers.spans import SPANS

        return SPANS[name]()
    from metrologue.tokenizers.external import sacrebleu_tokenizer

    return sacrebleu_tokenizer(name)
