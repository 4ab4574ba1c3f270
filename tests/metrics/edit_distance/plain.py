"""Edit distance (Levenshtein 1966, "Binary codes capable of correcting deletions, insertions, and reversals").

Transpositions are those of Damerau 1964, "A technique for computer detection and correction of spelling errors". A text
is a list of units: characters, words or any others.
"""

Units = list[str]


def edit_distance(
    hypothesis: Units,
    reference: Units,
    insertion_cost: float = 1,
    deletion_cost: float = 1,
    substitution_cost: float = 1,
    transpositions: str = "none",
) -> float:
    """The least cost of edits that make a text its reference.

    An insertion is a unit that only the hypothesis has, a deletion one that only the reference has. Two neighbours in
    the other order are a transposition, at the cost of 1: of "adjacent" ones that no other edit touches, or of "any",
    with edits between them.

    >>> edit_distance([*"horse"], [*"ros"]), edit_distance([*"acb"], [*"abc"], transpositions="adjacent")
    (3, 1)
    """
    # cost[i][j] is the distance of the first i units of the hypothesis to the first j of the reference.
    cost = [[j * deletion_cost for j in range(len(reference) + 1)]]
    for i, ours in enumerate(hypothesis, 1):
        cost.append([i * insertion_cost])
        for j, theirs in enumerate(reference, 1):
            ways = [
                cost[i - 1][j - 1] + substitution_cost * (ours != theirs),
                cost[i - 1][j] + insertion_cost,
                cost[i][j - 1] + deletion_cost,
            ]
            for k, m in transposed(hypothesis[:i], reference[:j]) if transpositions != "none" else []:
                inserted, deleted = i - k - 2, j - m - 2  # the units between the two
                if transpositions == "any" or inserted == deleted == 0:
                    ways.append(cost[k][m] + inserted * insertion_cost + 1 + deleted * deletion_cost)
            cost[i].append(min(ways))
    return cost[-1][-1]


def transposed(hypothesis: Units, reference: Units) -> list[tuple[int, int]]:
    """Where each text has the last unit of the other one, before its own last."""
    ours = [k for k, unit in enumerate(hypothesis[:-1]) if unit == reference[-1]]
    theirs = [m for m, unit in enumerate(reference[:-1]) if unit == hypothesis[-1]]
    return [(k, m) for k in ours for m in theirs]
