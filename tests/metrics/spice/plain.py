"""SPICE (Anderson et al. 2016, https://arxiv.org/abs/1607.08822). A scene graph is a list of tuples of words."""

from collections.abc import Callable
from typing import NamedTuple

Graph = list[tuple[str, ...]]
Sets = Callable[[str], set[int]]  # the sets of synonyms that a word belongs to


class Concept(NamedTuple):
    """An object, an attribute or a relation: all its words, and their sets of synonyms."""

    words: set[str]
    sets: set[int]

    def similarity(self, other: "Concept") -> float:
        """1 if a word is the same, otherwise the share of the sets that both have."""
        if self.words & other.words:
            return 1.0
        union = self.sets | other.sets
        return len(self.sets & other.sets) / len(union) if union else 0.0

    def join(self, other: "Concept") -> "Concept":
        """This concept, with what the other one has."""
        self.words.update(other.words)
        self.sets.update(other.sets)
        return self


Tuple = tuple[Concept, ...]


def merged(graph: Graph, sets: Sets) -> list[Tuple]:
    """The tuples of a graph in which similar objects, and what is said of them, are one."""
    objects: list[Concept] = []
    others: list[Tuple] = []

    def concept(word: str) -> Concept:
        return Concept({word}, set(sets(word)))

    def node(word: str) -> Concept:
        new = concept(word)
        best = max(objects, key=new.similarity, default=None)  # ties: the first
        if best is not None and new.similarity(best) > 0:
            return best.join(new)
        objects.append(new)
        return new

    def add(ends: Tuple, word: str) -> None:
        new = concept(word)
        for *its, old in others:
            if len(its) == len(ends) and all(a is b for a, b in zip(its, ends, strict=True)) and new.similarity(old):
                old.join(new)
                return
        others.append((*ends, new))

    for first, *rest in graph:
        ends = (node(first), *(node(word) for word in rest[1:]))
        if rest:
            add(ends, rest[0].removeprefix("be ") if rest[1:] else rest[0])
    return [*((each,) for each in objects), *others]


def score(own: list[Tuple], its: list[Tuple]) -> tuple[float, float, float]:
    """F1, precision and recall; a tuple of the references may match several times."""
    hits = sum(
        any(len(a) == len(b) and all(x.similarity(y) for x, y in zip(a, b, strict=True)) for b in its) for a in own
    )
    p, r = hits / len(own) if own else 0.0, hits / len(its) if its else 0.0
    return 2 * p * r / (p + r) if hits else 0.0, p, r


def spice(hypothesis: Graph, references: list[Graph], sets: Sets = lambda word: set()) -> tuple[float, float, float]:
    """F1, precision and recall of a caption's tuples.

    >>> spice([("dog",), ("dog", "run in", "park")], [[("dog", "in", "park")]])
    (0.6666666666666666, 0.6666666666666666, 0.6666666666666666)
    """
    return score(merged(hypothesis, sets), merged([each for graph in references for each in graph], sets))


def category(tuples: list[Tuple], size: int, words: set[str] | None = None) -> list[Tuple]:
    """The tuples of one size; with `words`, those whose only last word is one of them."""
    return [
        each for each in tuples if len(each) == size and (words is None or any(each[-1].words == {w} for w in words))
    ]
