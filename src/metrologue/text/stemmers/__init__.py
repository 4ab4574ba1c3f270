"""Stemmers by name."""

from __future__ import annotations

from collections.abc import Sequence

from metrologue.data.strings import Strings
from metrologue.text.stemmers.porter import STEMMERS, porter, porter_stems

__all__ = ["STEMMERS", "porter", "stem_spellings", "stems"]


def stem_spellings(words: Sequence[str], stemmer: str, language: str = "en") -> list[str]:
    """The stem of each word.

    Raises an InputError if there is no such stemmer, METEOR 1.5 has no stemmer for the language, or its data is
    missing.

    Parameters
    ----------
    stemmer : str
        "meteor-1.5": METEOR 1.5's stemmer for the language, which is an old version of Snowball's, or a table for
        Arabic. Or one of ``metrologue.text.stemmers.STEMMERS``: "porter" is nltk's. Or a table of your own: see
        ``register_stems``.
    language : str
        One of METEOR 1.5's languages.

    Examples
    --------
    >>> stem_spellings(["cats", "always"], "porter")
    ['cat', 'alway']
    """
    return stems(Strings.of([*map(str.__str__, words)]), stemmer, language).to_pylist()


def stems(words: Strings, stemmer: str, language: str = "en") -> Strings:
    """``stem_spellings`` of texts as bytes."""
    if stemmer == "porter":
        return porter_stems(words)
    spellings = words.to_pylist()
    if stemmer == "meteor-1.5":
        from metrologue.text.stemmers.snowball import meteor_stems

        return Strings.of(meteor_stems(spellings, language))
    if stemmer in STEMMERS:
        return Strings.of(STEMMERS[stemmer](spellings))
    from metrologue.text.lexicon.lookup import stem_table

    table = stem_table(stemmer)
    return Strings.of([table.get(word, word) for word in spellings])
