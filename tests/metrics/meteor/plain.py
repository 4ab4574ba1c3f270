"""METEOR (Denkowski and Lavie 2014).

"Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
https://aclanthology.org/W14-3348, section 2. A text is a list of words, and a short one: every alignment is looked at.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

Words = list[str]
Same = Callable[[str, str], bool]  # whether two words match
Phrases = list[tuple[str, str]]  # paraphrases: words between spaces


class Match(NamedTuple):
    """Words that match: in the reference, then in the hypothesis."""

    start: int
    length: int
    other: int
    other_length: int
    stage: str

    @property
    def words(self) -> int:
        """How many words of both texts it covers."""
        return self.length + self.other_length

    @property
    def distance(self) -> int:
        """How far apart it starts in the two texts."""
        return abs(self.start - self.other)


def possible_matches(hypothesis: Words, reference: Words, stages: dict[str, Same], phrases: Phrases) -> list[Match]:
    """All matches of single words, each in the first stage that has it, then all of phrases."""
    found: list[Match] = []
    for stage, same in stages.items():
        taken = {(match.start, match.other) for match in found}
        for j, theirs in enumerate(reference):
            for i, ours in enumerate(hypothesis):
                if (j, i) not in taken and same(ours, theirs):
                    found.append(Match(j, 1, i, 1, stage))
    # A pair of phrases matches either way round.
    for j, length, i, other_length in paraphrased(reference, hypothesis, phrases):
        found.append(Match(j, length, i, other_length, "paraphrase"))
    for i, other_length, j, length in paraphrased(hypothesis, reference, phrases):
        found.append(Match(j, length, i, other_length, "paraphrase"))
    return found


def paraphrased(one: Words, other: Words, phrases: Phrases) -> Iterator[tuple[int, int, int, int]]:
    """Where the first phrase of a pair is in one text, and the second in the other: starts and lengths."""
    for start in range(len(one)):
        for length in range(1, len(one) - start + 1):
            for phrase, target in phrases:
                if phrase.split() == one[start : start + length]:
                    n = len(target.split())
                    yield from (
                        (start, length, at, n) for at in range(len(other)) if other[at : at + n] == target.split()
                    )


def chunks(matches: Collection[Match]) -> int:
    """How many runs of matches go on in both texts."""
    ordered = sorted(matches)
    goes_on = sum(a.start + a.length == b.start and a.other + a.other_length == b.other for a, b in pairwise(ordered))
    return len(ordered) - goes_on


def alignments(possible: list[Match], taken: tuple[Match, ...] = ()) -> Iterator[tuple[Match, ...]]:
    """Every set of matches in which no word is twice."""
    if not possible:
        yield taken
        return
    first, *others = possible
    yield from alignments(others, taken)
    free = [
        match
        for match in others
        if (match.start >= first.start + first.length or match.start + match.length <= first.start)
        and (match.other >= first.other + first.other_length or match.other + match.other_length <= first.other)
    ]
    yield from alignments(free, (*taken, first))


def merit(matches: Collection[Match]) -> tuple[int, int, int]:
    """What the best alignment has least of: words that it does not cover, then chunks, then distance."""
    return -sum(match.words for match in matches), chunks(matches), sum(match.distance for match in matches)


def align(hypothesis: Words, reference: Words, stages: dict[str, Same], phrases: Phrases) -> tuple[Match, ...]:
    """The best alignment, or one of several.

    >>> found = align("the cat sat".split(), "on the mat a cat sat".split(), {"exact": str.__eq__}, [("the", "a")])
    >>> [(match.stage, match.other, match.start) for match in found]
    [('paraphrase', 0, 3), ('exact', 1, 4), ('exact', 2, 5)]
    """
    distinct = [*dict.fromkeys(possible_matches(hypothesis, reference, stages, phrases))]
    return min((tuple(sorted(matches)) for matches in alignments(distinct)), key=merit)


def matched_share(text: Words, matched: dict[int, float], function_words: Collection[str], delta: float) -> float:
    """The matched words of a text, at the weights of their stages; function words weigh 1 - delta, all others delta."""
    worth = [1 - delta if word in function_words else delta for word in text]
    return sum(worth[i] * weight for i, weight in matched.items()) / sum(worth) if sum(worth) else 0.0


def meteor(
    hypothesis: Words,
    reference: Words,
    matches: Collection[Match],
    weights: dict[str, float],
    function_words: Collection[str] = (),
    *,
    alpha: float = 0.85,
    beta: float = 0.2,
    gamma: float = 0.6,
    delta: float = 0.75,
) -> dict[str, float]:
    """METEOR of an alignment, with its precision, its recall and its penalty. The parameters are those for English.

    >>> words = "the cat sat down".split(), "the cat lay down".split()
    >>> found = meteor(*words, align(*words, {"exact": str.__eq__}, []), {"exact": 1}, alpha=0.9, beta=3, gamma=0.5)
    >>> round(found["meteor"], 4)
    0.6389
    """
    ours = {i: weights[m.stage] for m in matches for i in range(m.other, m.other + m.other_length)}
    theirs = {j: weights[m.stage] for m in matches for j in range(m.start, m.start + m.length)}
    precision = matched_share(hypothesis, ours, function_words, delta)
    recall = matched_share(reference, theirs, function_words, delta)
    fmean = 1 / (alpha / recall + (1 - alpha) / precision) if precision and recall else 0.0
    penalty = gamma * (chunks(matches) / ((len(ours) + len(theirs)) / 2)) ** beta if matches else 0.0
    return {
        "meteor": fmean * (1 - penalty),
        "precision": precision,
        "recall": recall,
        "fmean": fmean,
        "penalty": penalty,
    }
