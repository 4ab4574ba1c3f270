"""Tokenizers by name."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from functools import cache

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown
from metrologue.tokenizers.base import Tokenizer

__all__ = ["canonical_name", "get_tokenizer", "list_tokenizers", "register_tokenizer"]

_ALIASES = {"none": "whitespace", "py-rouge": "whitespace", "spm": "flores101"}
_SPANS = ("whitespace", "13a", "13a-unstripped", "13a-rust", "intl", "blank", "rouge-score", "rouge-1.5.5", "jiwer")
_CHARACTERS = ("characters", "characters-stripped", "char", "char-nltk", "char-torchmetrics", "graphemes")
_COMPOSED = (
    "rouge", "unicode-words", "chrf", "tercom-N", "tercom-P", "tercom-NP", "tercom-NA", "tercom-PA", "tercom-NPA",
)  # fmt: skip
_SACREBLEU = ("zh", "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K")
_METEOR = (
    "meteor-1.5", "meteor-1.5-lower", "meteor-1.5-en", "meteor-1.5-en-nopunct", "meteor-1.5-cz",
    "meteor-1.5-cz-nopunct", "meteor-1.5-fr", "meteor-1.5-fr-nopunct", "meteor-1.5-es", "meteor-1.5-es-nopunct",
    "meteor-1.5-de", "meteor-1.5-de-nopunct", "meteor-1.5-ru", "meteor-1.5-ru-nopunct",
)  # fmt: skip
_NLTK = ("nltk-words",)
_registered: dict[str, Callable[[str], Sequence[str]]] = {}
_full_names: dict[str, str] = {}


def _digest(function: Callable[[str], Sequence[str]]) -> str:
    """A hash that changes with the function's source; of its qualified name where it has no source."""
    try:
        described = inspect.getsource(function)
    except (OSError, TypeError):
        described = function.__qualname__ if hasattr(function, "__qualname__") else type(function).__qualname__
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
        If the name is a built-in tokenizer's, or the name or the digest cannot stand in a signature.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> name = register_tokenizer("letters", lambda text: [c for c in text if c.isalpha()], digest="1")
    >>> name
    'letters@1'
    >>> Bleu(tokenizer=name, max_order=1).corpus(["a-b"], ["b a"]).value
    100.0
    """
    if not is_name(name) or name in list_tokenizers(registered=False):
        raise InputError(f"register_tokenizer: `name` {shown(name)} is taken, or holds {NOT_IN_NAMES}; choose another.")
    if not callable(function):
        raise InputError(f"register_tokenizer: `function` is {shown(function)}; a callable is expected.")
    if digest is not None and not is_name(digest):
        raise InputError(f"register_tokenizer: `digest` {shown(digest)} holds {NOT_IN_NAMES}, or nothing.")
    full = f"{name}@{(digest or _digest(function))[:12]}"
    _registered[full] = function
    _full_names[name] = full
    return full


def list_tokenizers(registered: bool = True) -> list[str]:
    """Names that the field `tokenizer` takes.

    Examples
    --------
    >>> "13a" in list_tokenizers()
    True
    """
    return sorted(
        {
            *_ALIASES,
            *_SPANS,
            *_CHARACTERS,
            *_COMPOSED,
            *_SACREBLEU,
            *_METEOR,
            *_NLTK,
            *([*_registered, *_full_names] if registered else ()),
        }
    )


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
    if name in _full_names:
        return _full_names[name]
    if name not in list_tokenizers():
        raise InputError(
            f"tokenizer {shown(name)} is unknown; there are {', '.join(list_tokenizers())}. "
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
    if name in _registered:
        from metrologue.tokenizers.functions import Function

        return Function(name, _registered[name])
    return _built_in(name)


@cache
def _built_in(name: str) -> Tokenizer:
    if name in _SPANS:
        from metrologue.tokenizers.spans import SPANS

        return SPANS[name]()
    if name in _CHARACTERS:
        from metrologue.tokenizers.characters import CHARACTERS

        return CHARACTERS[name]()
    if name in _COMPOSED:
        from metrologue.tokenizers.composed import COMPOSED

        return COMPOSED[name]()
    if name in _METEOR:
        from metrologue.tokenizers.meteor import METEOR

        return METEOR[name]()
    from metrologue.tokenizers.external import nltk_words, sacrebleu_tokenizer

    if name in _NLTK:
        return nltk_words()
    return sacrebleu_tokenizer(name)
