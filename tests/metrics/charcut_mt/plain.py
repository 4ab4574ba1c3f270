"""CharCut (Lardilleux and Lepage 2017, "CHARCUT: Human-Targeted Character-Based MT Evaluation with Loose Differences").

https://aclanthology.org/2017.iwslt-1.20. What the paper leaves open is as in the package charcut. A text is a list of
words.
"""

import re
from collections import defaultdict
from difflib import SequenceMatcher
from math import exp

Words = list[str]
Parts = dict[str, list[int]]  # where each part of a text begins
Match = tuple[int, int, str]  # where a part begins in both texts, and the part


def word_parts(text: str) -> Parts:
    """All runs of whole words and marks."""
    edges = sorted({0, *(edge for found in re.finditer(r"\w+|\W", text) for edge in found.span())})
    found: Parts = defaultdict(list)
    for k, start in enumerate(edges):
        for stop in edges[k + 1 :]:
            found[text[start:stop]].append(start)
    return found


def letter_parts(text: str) -> Parts:
    """All runs of characters within a word and the marks on both sides of it, but for those among the last marks.

    >>> sorted(letter_parts("ab, c."))[:6]
    [' ', ' c', ' c.', ',', ', ', ', c']
    """
    found: Parts = defaultdict(list)
    last = re.match(r"(?s).*\w", text)
    for start in range(last.end() if last else len(text)):
        group = re.compile(r"\W*\w*\W*").match(text, start)
        for stop in range(start + 1, (group.end() if group else start) + 1):
            found[text[start:stop]].append(start)
    return found


def candidates(one: str, other: str, shortest: int) -> dict[str, tuple[list[int], list[int]]]:
    """The parts that both texts have, and where. Short ones count if both texts begin or end with them."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    first, second = word_parts(one), word_parts(other)
    for part in first.keys() & second.keys():
        last = len(one) - len(part), len(other) - len(part)
        if len(part) >= shortest:
            found[part] = first[part], second[part]
        elif first[part][0] == second[part][0] == 0:
            found[part] = [0], [0]
        elif last[0] in first[part] and last[1] in second[part]:
            found[part] = [last[0]], [last[1]]
    first, second = letter_parts(one), letter_parts(other)
    return found | {part: (first[part], second[part]) for part in first.keys() & second.keys() if len(part) >= shortest}


def matches(one: str, other: str, shortest: int) -> list[Match]:
    """The longest part that is free in both texts, as long as there is one.

    >>> matches("in fact an estimate", "actually an estimate", 3)
    [(7, 8, ' an estimate'), (4, 0, 'act')]
    """
    free, found = ([True] * len(one), [True] * len(other)), []

    def order(item: tuple[str, tuple[list[int], list[int]]]) -> tuple[int, bool, int, int]:
        part, (first, second) = item
        return -len(part), len(first) == len(second), len(first) + len(second), first[0]

    for part, places in sorted(candidates(one, other, shortest).items(), key=order):
        while True:
            i, j = (
                next((place for place in own if all(left[place : place + len(part)])), None)
                for own, left in zip(places, free, strict=True)
            )
            if i is None or j is None:
                break
            found.append((i, j, part))
            free[0][i : i + len(part)] = free[1][j : j + len(part)] = [False] * len(part)
    return found


def cost(one: str, other: str, shortest: int) -> int:
    """The characters that differ, of both texts, and those of parts that have moved."""
    found = matches(one, other, shortest)
    sides = [
        [(part, k) for part in sorted(found, key=by) for k in range(len(part[2]))] for by in (None, lambda m: m[1])
    ]
    blocks = SequenceMatcher(None, *sides, autojunk=False).get_matching_blocks()
    stays = {part for start, _, size in blocks for part, _ in sides[0][start : start + size]}
    total = len(one) + len(other) - 2 * sum(len(part[2]) for part in stays)
    for i, j, text in {*found} - stays:
        passed = [part for part in stays if (part[0] < i) == (part[1] > j)]
        first, last = min(passed), max(passed)
        far = i - first[0] if first[0] < i else last[0] + len(last[2]) - (i + len(text))
        total -= len(text) if far <= exp(len(text)) else 0
    return total


def charcut_mt(hypotheses: list[Words], references: list[list[Words]], shortest: int = 3) -> float:
    """Characters that differ or have moved, by the characters of both texts, with the best reference of each text.

    There is a list of references for each hypothesis.

    >>> round(charcut_mt([["in", "fact", "an", "estimate"]], [[["actually", "an", "estimate"]]]), 4)
    0.2308
    """
    costs = divisors = 0
    for words, own in zip(hypotheses, references, strict=True):
        one, others = " ".join(words), [" ".join(each) for each in own]
        pairs = [(cost(one, other, shortest), len(one) + len(other)) for other in others]
        best = min(pairs, key=lambda pair: pair[0] / pair[1] if pair[1] else 0.0)
        costs, divisors = costs + best[0], divisors + best[1]
    return costs / divisors if divisors else 0.0
