"""The share of texts that repeat another one. A text is a string."""


def text_duplicates(texts: list[str]) -> float:
    """1 less the different texts, divided by all; whitespace at both ends does not count.

    >>> text_duplicates(["hello sun", " hello sun"])
    0.5
    """
    return 1 - len({text.strip() for text in texts}) / len(texts)
