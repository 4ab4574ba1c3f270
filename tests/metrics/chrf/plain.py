"""chrF (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation") and chrF++ (Popović 2017).

https://aclanthology.org/W15-3049 and https://aclanthology.org/W17-4770. chrF is of the characters of a text without its
whitespace; chrF+ and chrF++ are of its words too.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from string import punctuation

Row = tuple[int, int, int]  # of an order: n-grams that match, of the hypothesis, of the reference


def words(text: str) -> list[str]:
    """The words of a text; a mark at the end of a word, or else at its beginning, is a word of its own."""
    found = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, each with its count."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def counts(hypothesis: str, reference: str, char_order: int = 6, word_order: int = 0) -> list[Row]:
    """The counts of each order: of characters, then of words."""
    both = [["".join(text.split()) for text in (hypothesis, reference)], [words(hypothesis), words(reference)]]
    found = []
    for (first, second), longest in zip(both, (char_order, word_order), strict=True):
        for n in range(1, longest + 1):
            ours, theirs = ngrams(first, n), ngrams(second, n)
            found.append(((ours & theirs).total(), ours.total() if theirs else 0, theirs.total()))
    return found


def chrf(rows: list[Row], beta: int = 2) -> Fraction:
    """F of the mean precision and the mean recall of the orders that both texts have; recall weighs beta times as much.

    Of a corpus the counts are those of all its texts.

    >>> round(float(chrf(counts("the cat", "the cats"))), 4)
    0.7757
    """
    both = [row for row in rows if row[1] and row[2]]
    if not any(matches for matches, _, _ in both):
        return Fraction(0)
    precision = sum(Fraction(matches, ours) for matches, ours, _ in both) / len(both)
    recall = sum(Fraction(matches, theirs) for matches, _, theirs in both) / len(both)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
