"""Exact match (the Hub's `exact_match`; the normalization of SQuAD is in token_f1's)."""

import re
from collections.abc import Callable
from statistics import fmean
from string import digits, punctuation


def kept(text: str, regexes: list[str], lowercase: bool, no_punctuation: bool, no_numbers: bool) -> str:
    """What is left of a text when all that is to be ignored is removed, in this order."""
    for regex in regexes:
        text = re.sub(regex, "", text)
    text = text.lower() if lowercase else text
    ignored = punctuation * no_punctuation + digits * no_numbers
    return "".join(character for character in text if character not in ignored)


def exact_match(
    hypotheses: list[str],
    references: list[list[str]],
    regexes: list[str],
    lowercase: bool = False,
    no_punctuation: bool = False,
    no_numbers: bool = False,
) -> float:
    """The share of texts that equal one of their references.

    There is a list of references for each hypothesis.

    >>> exact_match(["cat?", "dog"], [["the cat"], ["dogs"]], ["the "], no_punctuation=True)
    0.5
    """
    options = regexes, lowercase, no_punctuation, no_numbers
    return fmean(
        kept(hypothesis, *options) in [kept(reference, *options) for reference in own]
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )


def helm(hypotheses: list[str], references: list[list[str]], normalized: Callable[[str], str], prefix: bool) -> float:
    """HELM's exact match or prefix match of texts after `normalized`; an empty text is wrong.

    >>> helm(["Yes, sir"], [["yes"]], str.lower, prefix=True)
    1.0
    """
    match = str.startswith if prefix else str.__eq__
    return fmean(
        bool(hypothesis) and any(match(normalized(hypothesis), normalized(reference)) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
