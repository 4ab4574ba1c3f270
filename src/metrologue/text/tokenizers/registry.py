"""Tokenizers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import RLock

from metrologue.errors import NOT_IN_NAMES, InputError, instead_of, is_name, shown
from metrologue.text.tokenizers.base import Tokenizer

Value = bool | str

_ALIASES = {"none": "whitespace", "py-rouge": "whitespace", "spm": "flores101"}
# The tokenizers by the module that has them; its table is called like the module, in capitals.
_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "spans": (
        "whitespace", "13a", "13a-unstripped", "13a-rust", "mteval-v13a", "nist", "intl", "blank", "rouge-1.5.5",
        "jiwer", "text", "ascii-whitespace", "zh", "cjk", "mteval-intl", "t2t",
    ),
    "characters": ("characters", "characters-stripped", "char", "char-nltk", "char-torchmetrics", "graphemes"),
    "composed": (
        "rouge", "unicode-words", "chrf", "tercom", "squad", "lexicalrichness", "lexical-diversity", "scikit-learn",
        "drop", "math", "compounds", "rouge-score", "rouge-chinese",
    ),
    "external": (
        "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "nltk-words", "nltk-tweets", "uax29-words",
        "moses",
    ),
    "meteor": ("meteor-1.5", "meteor-1.5-norm"),
    "ptb": ("ptb",),
}  # fmt: skip
_BUILT_IN = {name: family for family, names in _FAMILIES.items() for name in names}

# The tokenizers with options: the values that each option takes, the default first.
_NO_YES, _YES_NO = (False, True), (True, False)
_LANGUAGES = ("en", "cz", "fr", "es", "de", "ru")  # for which METEOR 1.5 has rules
_MOSES = (  # for which Moses has lists of abbreviations
    "en", "as", "bn", "ca", "cs", "de", "el", "es", "et", "fi", "fr", "ga", "gu", "hi", "hu", "is", "it", "kn", "lt",
    "lv", "ml", "mni", "mr", "nl", "or", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "ta", "tdt", "te", "yue", "zh",
)  # fmt: skip
_OPTIONS: Mapping[str, Mapping[str, tuple[Value, ...]]] = {
    "ascii-whitespace": {"lowercase": _NO_YES},
    "blank": {"stripped": _NO_YES},
    "mteval-v13a": {"preserve_case": _NO_YES},
    "nltk-words": {"stripped": _NO_YES},
    "rouge-score": {"contractions": _NO_YES},
    "text": {"stripped": _NO_YES},
    "moses": {
        "language": _MOSES, "aggressive": _NO_YES, "escape": _NO_YES, "final_period": _NO_YES, "compounds": _NO_YES,
        "lowercase": _NO_YES,
    },
    "nist": {"western": _YES_NO, "lowercase": _NO_YES},
    "tercom": {"normalized": _NO_YES, "no_punct": _NO_YES, "asian_support": _NO_YES},
    "meteor-1.5": {"lowercase": _NO_YES},
    "meteor-1.5-norm": {"language": _LANGUAGES, "no_punct": _NO_YES, "ptb": _NO_YES},
    "ptb": {"lowercase": _YES_NO, "punctuation": _NO_YES, "cut": ("whitespace", "blank")},
}  # fmt: skip
_WITHOUT_OPTIONS = _BUILT_IN.keys() - _OPTIONS.keys()
# Names that older signatures have for a tokenizer with options.
_LETTERS = {"N": "normalized=true", "P": "no_punct=true", "A": "asian_support=true"}
_OLD_NAMES = {
    "meteor-1.5-lower": "meteor-1.5:lowercase=true",
    **{f"meteor-1.5-{code}": f"meteor-1.5-norm:language={code}" for code in _LANGUAGES},
    **{f"meteor-1.5-{code}-nopunct": f"meteor-1.5-norm:language={code},no_punct=true" for code in _LANGUAGES},
    **{
        f"tercom-{old}": f"tercom:{','.join(_LETTERS[letter] for letter in old)}"
        for old in ("N", "P", "NP", "NA", "PA", "NPA")
    },
}
_registered: dict[str, Callable[[str], Sequence[str]]] = {}
_full_names: dict[str, str] = {}


def function_digest(function: Callable[[str], object]) -> str:
    """A hash of the function's source, or of its qualified name if it has no source."""
    import hashlib  # slow to import
    import inspect

    try:
        described = inspect.getsource(function)
    except (OSError, TypeError):
        described = function.__qualname__ if hasattr(function, "__qualname__") else type(function).__qualname__
    return hashlib.sha256(described.encode()).hexdigest()


def register_tokenizer(name: str, function: Callable[[str], Sequence[str]], digest: str | None = None) -> str:
    """Make a function usable as the `tokenizer` of any scorer, and get its full name.

    Parameters
    ----------
    name : str
        The name of the tokenizer.
    function : callable
        From a text (str) to its tokens (list of str).
    digest : str, optional
        A text that identifies this version of the function in signatures; a SHA-256 of its source by default. A
        function without source is identified only by its qualified name: give a digest if its behaviour can change.

    Returns
    -------
    str
        The value for the field `tokenizer`: ``name@digest``. The bare name also works while it is registered.

    Raises
    ------
    InputError
        If a built-in tokenizer has this name, or if the name or the digest cannot be part of a signature.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> name = register_tokenizer("letters", lambda text: [c for c in text if c.isalpha()], digest="1")
    >>> name
    'letters@1'
    >>> round(Bleu(tokenizer=name, max_order=1).corpus(["a-b"], ["b c"]).value, 4)
    50.0
    """
    if not is_name(name) or name in {*_BUILT_IN, *_ALIASES, *_OLD_NAMES}:
        raise InputError(f"register_tokenizer: `name` {shown(name)} is taken, or holds {NOT_IN_NAMES}; choose another.")
    if not callable(function):
        raise InputError(f"register_tokenizer: `function` is {shown(function)}; a callable is expected.")
    if digest is not None and not is_name(digest):
        raise InputError(f"register_tokenizer: `digest` {shown(digest)} holds {NOT_IN_NAMES}, or nothing.")
    full = f"{name}@{(digest or function_digest(function))[:12]}"
    _registered[full] = function
    _full_names[name] = full
    return full


_naming = RLock()
_in_use: list[tuple[str, Callable[[str], Sequence[str]]]] = []  # a function that computes a score may use another one


@contextmanager
def named_tokenizer(tokenizer: str | Callable[[str], Sequence[str]] | None) -> Iterator[str | None]:
    """A context manager that gives the name of a tokenizer for scorers. A function is named after its definition.

    Parameters
    ----------
    tokenizer : str, callable or None
        A name, which stays as it is, or a function from a text to its list of tokens.

    Raises
    ------
    InputError
        Inside the block, if the function returns something else.

    Examples
    --------
    >>> with named_tokenizer(str.split) as name:
    ...     print(name.partition("@")[0])
    builtins.str.split
    """
    if not callable(tokenizer):
        yield tokenizer
        return
    owner = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    name = f"{getattr(owner, '__module__', None) or 'builtins'}.{owner.__qualname__}"
    # Two functions can have the same name, as lambdas do. While one of them is in use, other threads have to wait.
    with _naming:
        _in_use.append((name, tokenizer))
        try:
            yield register_tokenizer(name, tokenizer)
        finally:
            _in_use.pop()
            if _in_use:
                register_tokenizer(*_in_use[-1])


def list_tokenizers(registered: bool = True) -> list[str]:
    """The names that the field `tokenizer` takes, without options.

    Examples
    --------
    >>> "13a" in list_tokenizers()
    True
    """
    return sorted({*_BUILT_IN, *_ALIASES, *([*_registered, *_full_names] if registered else ())})


def cuts_words(tokenizer: str | None) -> bool:
    """Whether a tokenizer cuts text into words, and not into characters."""
    return tokenizer is not None and tokenizer not in _FAMILIES["characters"]


def tokenizers_like(tokenizer: str) -> list[str]:
    """All tokenizers that cut text into words, or all that cut it into characters, as this one does; without options.

    Characters are also given for words: people use them for languages without whitespace. Registered tokenizers are
    there, aliases are not.

    Examples
    --------
    >>> "ja-mecab" in tokenizers_like("13a"), "char" in tokenizers_like("13a"), "13a" in tokenizers_like("char")
    (True, True, False)
    """
    return sorted({*_BUILT_IN, *_registered} if cuts_words(tokenizer) else _FAMILIES["characters"])


def missing_for(tokenizer: str) -> str:
    """What a tokenizer needs that is not on this machine, in words; "" if it can be used. Nothing is downloaded.

    Examples
    --------
    >>> missing_for("13a")
    ''
    """
    name = tokenizer.partition(":")[0]
    if name not in _FAMILIES["external"]:
        return ""
    from metrologue.text.tokenizers.external import missing_here

    return missing_here(name)


def canonical_name(tokenizer: str, **options: Value) -> str:
    """The canonical name of a tokenizer: aliases resolved, the digest of a registered one, options in a fixed order.

    Parameters
    ----------
    tokenizer : str
        A name, or ``name:option=value,option=value``.
    **options
        Options that are not part of `tokenizer`.

    Raises
    ------
    InputError
        If there is no such tokenizer, or it has no such option or value.

    Examples
    --------
    >>> canonical_name("none"), canonical_name("meteor-1.5-norm:no_punct=true,language=en")
    ('whitespace', 'meteor-1.5-norm:no_punct=true')
    >>> canonical_name("tercom", normalized=True, no_punct=False)
    'tercom:normalized=true'
    """
    name, chosen = _resolved(tokenizer, options)
    return f"{name}:{','.join(f'{option}={_spelled(value)}' for option, value in chosen.items())}" if chosen else name


def get_tokenizer(tokenizer: str, **options: Value) -> Tokenizer:
    """The tokenizer with this name and these options; arguments as for ``canonical_name``.

    Raises
    ------
    InputError
        If there is no such tokenizer, or something that it needs is not installed.
    """
    name, chosen = (tokenizer, {}) if tokenizer in _WITHOUT_OPTIONS and not options else _resolved(tokenizer, options)
    if name in _registered:
        from metrologue.text.tokenizers.functions import Function

        return Function(name, _registered[name])
    return _built_in(name, **chosen)


def _spelled(value: Value) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _resolved(tokenizer: str, options: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """The name of a tokenizer, and its options that differ from the defaults."""
    if tokenizer in _WITHOUT_OPTIONS and not options:
        return tokenizer, {}
    full = _full_names.get(tokenizer, tokenizer)
    name, _, text = (full, "", "") if full in _registered else _OLD_NAMES.get(full, full).partition(":")
    name = _ALIASES.get(name, name)
    if name not in _registered and name not in _BUILT_IN:
        raise InputError(
            f"tokenizer {shown(tokenizer)} is unknown; {instead_of(tokenizer, list_tokenizers())} "
            "Register your own with metrologue.text.tokenizers.register_tokenizer(name, function)."
        )
    given = dict(part.partition("=")[::2] for part in text.split(",")) if text else {}
    given |= {option: _spelled(value) for option, value in options.items()}
    declared = _OPTIONS.get(name, {})
    if unknown := next((option for option in given if option not in declared), None):
        has = f"its options are {', '.join(declared)}" if declared else "it has no options"
        raise InputError(f"tokenizer {shown(tokenizer)}: `{unknown}` is unknown; {has}.")
    chosen = {}
    for option, values in declared.items():
        by_text = {_spelled(value): value for value in values}
        if (spelled := given.get(option, _spelled(values[0]))) not in by_text:
            expected = f"{' or '.join(by_text)} is expected"
            raise InputError(f"tokenizer {shown(tokenizer)}: `{option}` is {shown(spelled)}; {expected}.")
        if by_text[spelled] != values[0]:
            chosen[option] = by_text[spelled]
    return name, chosen


@cache
def _built_in(name: str, **options: Value) -> Tokenizer:
    family = _BUILT_IN[name]
    table: Mapping[str, Callable[..., Tokenizer]] = getattr(
        import_module(f"metrologue.text.tokenizers.{family}"), family.upper()
    )
    return table[name](**options)
