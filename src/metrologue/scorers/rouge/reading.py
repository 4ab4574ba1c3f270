"""How ROUGE reads a text: what is cut off it, and what is done with its tokens."""

from __future__ import annotations

from metrologue.text.reading import Drop, FirstBytes, FirstWords, Lower, Reading, Sentences, Stem, Tokenize

__all__ = ["text_steps", "token_steps"]


def text_steps(
    sentences: str, lowercase: bool, max_words: int | None, max_bytes: int | None, bytes_of_each: bool
) -> Reading:
    """The steps on texts: sentences, lower case, and the first words or bytes, of the text or of each sentence.

    Sentences come first: a capital letter is one of the signs of where a sentence begins.
    """
    lower = (Lower(),) if lowercase else ()
    cut = () if sentences == "none" else (Sentences(sentences),)
    words = (FirstWords(max_words),) if max_words else ()
    size = (FirstBytes(max_bytes, bytes_of_each),) if max_bytes else ()
    return (*cut, *lower, *words, *size)


def token_steps(tokenizer: str, stop_words: bool, stemmer: str | None, stem_longer_than: int) -> Reading:
    """The steps on tokens: tokenize, drop the stop words, stem."""
    drop = (Drop(),) if stop_words else ()
    stem = (Stem(stemmer, stem_longer_than),) if stemmer else ()
    return (Tokenize(tokenizer), *drop, *stem)
