"""N-gram probabilities with back-off, by definition: over dicts, from the text of an ARPA file."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["log_probability", "ngrams_of", "sentence"]

Ngrams = dict[tuple[str, ...], tuple[float, float]]


def ngrams_of(arpa: str) -> Ngrams:
    """The log-probability and the back-off of each n-gram."""
    ngrams: Ngrams = {("<unk>",): (-100.0, 0.0)}
    order = 0
    for line in arpa.split("\n"):
        if line.endswith("-grams:"):
            order = int(line[1:-7])
        elif order and line and line != "\\end\\":
            number, rest = line.split("\t", 1)
            words, _, backoff = rest.partition("\t")
            ngrams[tuple(words.split(" "))] = (float(number), float(backoff or 0))
    return ngrams


def log_probability(ngrams: Ngrams, context: tuple[str, ...], word: str) -> float:
    """The word's own n-gram if it is listed; otherwise the context's back-off, and the probability in a shorter one."""
    if (*context, word) in ngrams:
        return ngrams[*context, word][0]
    return ngrams.get(context, (0.0, 0.0))[1] + log_probability(ngrams, context[1:], word)


def sentence(ngrams: Ngrams, words: Sequence[str]) -> list[float]:
    """The log-probability of each word of a sentence, and of its end."""
    order = max(map(len, ngrams))
    known = [word if (word,) in ngrams else "<unk>" for word in words]
    past, found = ["<s>"], []
    for word in [*known, "</s>"]:
        found.append(log_probability(ngrams, tuple(past[max(len(past) - order + 1, 0) :]) if order > 1 else (), word))
        past.append(word)
    return found
