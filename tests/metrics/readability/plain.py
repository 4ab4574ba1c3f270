"""Seven formulas of readability. A text is a list of sentences, a sentence is a list of words.

Kincaid et al. 1975, https://apps.dtic.mil/sti/citations/ADA006655, for FKGL, ARI and the fog index; Flesch 1948,
https://doi.org/10.1037/h0057532; McLaughlin 1969 for SMOG; Coleman and Liau 1975, https://doi.org/10.1037/h0076540;
Dale and Chall 1948, https://www.jstor.org/stable/1473169.
"""

import re
from math import sqrt

Sentences = list[list[str]]


def syllables(word: str) -> int:
    """Each two vowels, without an e or es at the end after another consonant than l; 1 for a word of three letters.

    >>> [syllables(word) for word in ("the", "bakes", "table", "yellow", "readability")]
    [1, 1, 2, 2, 5]
    """
    if len(word) <= 3:
        return 1
    for end in ("es", "e"):
        if word.endswith(end) and word[-len(end) - 1] not in "laeiouy":
            word = word[: -len(end)]
            break
    return len(re.findall("[aeiouy][aeiouy]?", word[word.startswith("y") :]))


def readability(text: Sentences, easy: set[str]) -> dict[str, float]:
    """All numbers of a text that has a word.

    >>> scores = readability([["the", "cat", "sat"]], {"the", "cat", "sat"})
    >>> round(scores["fkgl"], 2), round(scores["flesch"], 2), scores["dale_chall"]
    (-2.62, 119.19, 0.1488)
    """
    words = [word for sentence in text for word in sentence]
    n, s = len(words), len(text)
    letters = sum(map(len, words))
    counts = [syllables(word) for word in words]
    long = sum(count >= 3 for count in counts)
    difficult = 100 * sum(word not in easy for word in words) / n
    return {
        "fkgl": 0.39 * n / s + 11.8 * sum(counts) / n - 15.59,
        "flesch": 206.835 - 1.015 * n / s - 84.6 * sum(counts) / n,
        "gunning_fog": 0.4 * (n / s + 100 * long / n),
        "smog": 1.043 * sqrt(30 * long / s) + 3.1291,
        "ari": 4.71 * letters / n + 0.5 * n / s - 21.43,
        "coleman_liau": 5.88 * letters / n - 29.6 * s / n - 15.8,
        "dale_chall": 0.1579 * difficult + 0.0496 * n / s + (3.6365 if difficult > 5 else 0),
    }
