"""Emotions and inference from lists of English words: rules in place of models, and far less exact."""

from __future__ import annotations

import re

# fmt: off
_GOOD = frozenset((
    "amazing", "awesome", "beautiful", "best", "brilliant", "congratulations", "cool", "delighted", "delicious",
    "enjoy", "enjoyed", "enjoying", "excellent", "excited", "exciting", "fabulous", "fantastic", "favorite",
    "favourite", "fun", "funny", "glad", "good", "great", "haha", "happy", "hilarious", "hope", "impressive",
    "incredible", "interesting", "like", "liked", "lol", "love", "loved", "lovely", "loves", "lucky", "nice", "perfect",
    "pleased", "proud", "sweet", "thank", "thanks", "wonderful", "wow", "yay",
))
_NEGATIONS = frozenset((
    "cannot", "dont", "hardly", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing",
))
# fmt: on
_WORD = re.compile(r"\w+(?:'\w+)?")
_REACH = 3  # a negation turns the words after it round, as far as this


def emotions_by_words(text: str) -> float:
    """1 if a text has a word such as "great", and no negation shortly before it; otherwise 0.

    Examples
    --------
    >>> [emotions_by_words(text) for text in ("That is great!", "It was not a good film.", "At noon.")]
    [1.0, 0.0, 0.0]
    """
    words = _words(text)
    turned = [place for place, word in enumerate(words) if _negates(word)]
    good = [place for place, word in enumerate(words) if word in _GOOD]
    return float(any(not any(0 < place - each <= _REACH for each in turned) for place in good))


def judged_by_words(premise: str, text: str) -> tuple[float, float, float]:
    """Probabilities of contradiction, neutral and entailment.

    The share of a text's words that the premise has too is the probability of entailment; or of contradiction, if
    exactly one of both has a negation.

    Examples
    --------
    >>> judged_by_words("I like cats", "Cats sleep."), judged_by_words("I like cats", "I don't like cats")
    ((0.0, 0.5, 0.5), (0.75, 0.25, 0.0))
    """
    one, other = _words(premise), _words(text)
    if not other:
        return 0.0, 1.0, 0.0
    shared = sum(word in one for word in other) / len(other)
    differ = any(map(_negates, one)) != any(map(_negates, other))
    return (shared, 1 - shared, 0.0) if differ else (0.0, 1 - shared, shared)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't")
