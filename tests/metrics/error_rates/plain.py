"""Error rates: WER (of characters: CER), MER, WIL and WIP.

Morris, Maier and Green 2004, "From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition". A text is a list of units: words or characters.
"""

Units = list[str]
Counts = tuple[int, int, int, int]


def align(hypothesis: Units, reference: Units) -> Counts:
    """Hits, substitutions, deletions and insertions with the fewest edits; of several such, those with the most hits.

    >>> align("the cat sit on mat".split(), "the cat sat on the mat".split())
    (4, 1, 1, 0)
    """
    # best[i, j] is (edits, -hits, hits, substitutions, deletions, insertions) of the first i and the first j units.
    best: dict[tuple[int, int], tuple[int, ...]] = {}

    def step(i: int, j: int, kind: int) -> tuple[int, ...]:
        counts = [*best[i, j][2:]]
        counts[kind] += 1
        return sum(counts[1:]), -counts[0], *counts

    for i in range(len(hypothesis) + 1):
        for j in range(len(reference) + 1):
            ways = [(0, 0, 0, 0, 0, 0)] if i == j == 0 else []
            if i and j:
                ways.append(step(i - 1, j - 1, 0 if hypothesis[i - 1] == reference[j - 1] else 1))
            if j:
                ways.append(step(i, j - 1, 2))
            if i:
                ways.append(step(i - 1, j, 3))
            best[i, j] = min(ways)
    _, _, hits, substitutions, deletions, insertions = best[len(hypothesis), len(reference)]
    return hits, substitutions, deletions, insertions


def error_rates(hits: int, substitutions: int, deletions: int, insertions: int) -> dict[str, float]:
    """The rates of a text from its counts, or of a corpus from their sums.

    The paper leaves open what they are without a unit to divide by: here as jiwer has it.

    >>> rates = error_rates(hits=2, substitutions=1, deletions=0, insertions=1)
    >>> {name: round(rate, 3) for name, rate in rates.items()}
    {'wer': 0.667, 'mer': 0.5, 'wil': 0.667, 'wip': 0.333}
    """
    edits = substitutions + deletions + insertions
    reference = hits + substitutions + deletions
    hypothesis = hits + substitutions + insertions
    wer = edits / reference if reference else float(insertions)
    mer = edits / (hits + edits) if hits + edits else 0.0
    wip = hits / reference * hits / hypothesis if reference and hypothesis else float(reference == hypothesis)
    return {"wer": wer, "mer": mer, "wil": 1 - wip, "wip": wip}
