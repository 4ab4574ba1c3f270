"""MEANT (Lo 2017, https://aclanthology.org/W17-4767) with frames that are given, and words that all weigh the same.

A text is a list of words. A frame is a list of roles, (class, start, stop); the predicate, of class 0, comes first.
"""

from metrics.yisi.plain import Frame, Similarity, Words, assigned, covered, score, substring

ROLES = [0.25, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]  # the weight of each class of roles


def of_frames(own: tuple[Words, list[Frame]], its: tuple[Words, list[Frame]], order: int, similar: Similarity) -> float:
    """How much of the frames of a text another one has."""

    def share(role: tuple[int, int, int], other: tuple[int, int, int]) -> float:
        """How much of a phrase another one has; 0 if their roles differ."""
        if role[0] != other[0]:
            return 0.0
        return covered(own[0][role[1] : role[2]], its[0][other[1] : other[2]], order, similar, lambda word: 1.0)

    found = total = 0.0
    partners = dict(assigned([[share(one[0], other[0]) for other in its[1]] for one in own[1]]))
    for f, (predicate, *arguments) in enumerate(own[1]):
        value = 0.0
        if f in partners:
            other, *others = its[1][partners[f]]
            pairs = assigned([[share(one, another) for another in others] for one in arguments])
            value = ROLES[0] * share(predicate, other)
            value += sum(ROLES[arguments[i][0]] * share(arguments[i], others[j]) for i, j in pairs)
        length = sum(stop - start for _, start, stop in (predicate, *arguments))
        found += length * value / sum(ROLES[kind] for kind, _, _ in (predicate, *arguments))
        total += length
    return found / total if total else 0.0


def meant(
    hypothesis: tuple[Words, list[Frame]],
    reference: tuple[Words, list[Frame]],
    order: int = 3,
    alpha: float = 0.5,
    similar: Similarity = substring,
) -> float:
    """The F-measure of both directions; that of the words if neither text has a frame.

    >>> frame = [(0, 2, 3), (1, 0, 2), (2, 3, 5)]
    >>> texts = "the cat chased a mouse".split(), "the cat chased the mouse".split()
    >>> round(meant((texts[0], [frame]), (texts[1], [frame])), 6)
    0.777778
    """
    if hypothesis[1] or reference[1]:
        shares = [of_frames(*side, order, similar) for side in ((hypothesis, reference), (reference, hypothesis))]
    else:
        sides = (hypothesis[0], reference[0]), (reference[0], hypothesis[0])
        shares = [covered(own, its, order, similar, lambda word: 1.0) for own, its in sides]
    return score(shares[0], shares[1], alpha)
