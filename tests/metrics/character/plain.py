"""CharacTER (Wang, Peter, Rosendahl and Ney 2016, "CharacTer: Translation Edit Rate on Character Level").

https://aclanthology.org/W16-2342. The paper leaves some of the search for shifts open, and here it is that of the
package cer. A text is a list of words.
"""

from collections.abc import Sequence

Words = list[str]


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The least number of insertions, deletions and substitutions.

    >>> distance("horse", "ros")
    3
    """
    row = [*range(len(other) + 1)]
    for i, item in enumerate(one, 1):
        before, row = row, [i]
        for j, second in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (item != second)))
    return row[-1]


def shifts(words: Words, reference: Words) -> list[Words]:
    """The words after each possible shift: a run that the reference has elsewhere is put there, as long as it is."""
    found = []
    for start, word in enumerate(words):
        for target, other in enumerate(reference):
            if start == target or word != other:
                continue
            length = 1
            while words[start + length : start + length + 1] == reference[target + length : target + length + 1] != []:
                length += 1
            rest = words[:start] + words[start + length :]
            found.append(rest[:target] + words[start : start + length] + rest[target:])
    return found


def shifted(words: Words, reference: Words) -> Words:
    """The words after all shifts that reduce the word error rate, each time the one that reduces it most.

    >>> shifted("on the mat the cat sat".split(), "the cat sat on the mat".split())
    ['the', 'cat', 'sat', 'on', 'the', 'mat']
    """
    rate = distance(words, reference) / len(reference) if reference else 0.0
    while rate and (possible := shifts(words, reference)):
        gain, best = max((rate - distance(each, reference) / len(reference), each) for each in possible)
        if gain <= 0:
            break
        words, rate = best, rate - gain
    return words


def shift_cost(words: Words, after: Words) -> float:
    """The mean length of the words of each run that moved to the right."""
    cost, i = 0.0, 0
    while i < len(words):
        run, place = words[i:], next((j for j in range(i + 1, len(words)) if after[j] == words[i]), None)
        if after[i] != words[i] and place is not None:
            pairs = zip(run, after[place:], strict=False)
            length = next((k for k, (one, other) in enumerate(pairs) if one != other), len(after) - place)
            cost += sum(map(len, run[:length])) / length
            i = min(i + length - 1, len(words) - 1)
        i += 1
    return cost


def rate(words: Words, reference: Words) -> float:
    """Edits of characters after the shifts and their cost, by the characters of the text; 1 at most."""
    after = shifted(words, reference)
    cost = distance(" ".join(after), " ".join(reference)) + shift_cost(words, after)
    length = len(" ".join(words))
    return min(1.0, cost / length) if length else float(cost > 0)


def character(hypotheses: list[Words], references: list[list[Words]]) -> float:
    """The mean of the rates, with the best reference of each text. There is a list of references for each.

    >>> character([["on", "the", "mat"]], [[["the", "mat", "on"]]])
    0.2
    """
    best = [min(rate(words, each) for each in own) for words, own in zip(hypotheses, references, strict=True)]
    return sum(best) / len(best)
