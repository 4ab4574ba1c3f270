"""The mean number of words of a text. A text is a list of tokens."""

Tokens = list[str]


def word_length(texts: list[Tokens]) -> float:
    """All words, divided by the number of texts.

    >>> word_length([["hello", "world"], ["a", "cat", "sat"]])
    2.5
    """
    return sum(map(len, texts)) / len(texts)
