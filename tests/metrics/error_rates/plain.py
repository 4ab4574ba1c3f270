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


def occurrences(units: Units, phrases: list[Units]) -> list[tuple[int, int]]:
    """Where phrases begin and end: from left to right, the longest first, without overlap.

    >>> occurrences("new york new".split(), [["new"], ["new", "york"]])
    [(0, 2), (2, 3)]
    """
    found, i = [], 0
    while i < len(units):
        longest = max((len(each) for each in phrases if units[i : i + len(each)] == each), default=0)
        found += [(i, i + longest)] * bool(longest)
        i += longest or 1
    return found


def focus_counts(hypothesis: Units, reference: Units, steps: list[str], phrases: list[Units]) -> tuple[int, ...]:
    """Phrases in both texts, in the reference, in the hypothesis; S, D, I and N of their words.

    `steps` are those of the alignment: H, S, D and I (Le et al. 2021, score.py; Park et al. 2008).

    >>> focus_counts("a big b".split(), "a b".split(), ["H", "I", "H"], [["a", "b"], ["a"]])
    (0, 1, 1, 0, 0, 0, 2)
    """
    theirs, ours = occurrences(reference, phrases), occurrences(hypothesis, phrases)
    inside, said = ({i for start, stop in own for i in range(start, stop)} for own in (theirs, ours))
    places: list[tuple[int, int, str]] = []
    i = j = 0
    for step in steps:
        places.append((i, j, step))
        i, j = i + (step != "D"), j + (step != "I")
    partner = {j: i for i, j, step in places if step == "H"}
    both = sum(
        all(partner.get(first + k) == start + k for k in range(stop - start))
        for first, last in theirs
        for start, stop in ours
        if reference[first:last] == hypothesis[start:stop]
    )
    edits = [sum(step == kind and j in inside for _, j, step in places) for kind in "SD"]
    inserted = sum(step == "I" and i in said for i, _, step in places)
    return both, len(theirs), len(ours), *edits, inserted, len(inside)


def focus_rates(counts: tuple[int, ...], edits: int, words: int) -> dict[str, float]:
    """Recall, precision and F of phrases, their error rate, B-WER, and U-WER from all `edits` and `words`.

    >>> focus_rates((1, 2, 1, 1, 0, 0, 3), 2, 5)["focus_error_rate"]
    0.5
    """
    both, theirs, ours, *wrong, inside = counts
    missed, false, own = theirs - both, ours - both, sum(wrong)
    return {
        "focus_recall": both / theirs if theirs else float(not ours),
        "focus_precision": both / ours if ours else float(not theirs),
        "focus_f1": 2 * both / (theirs + ours) if theirs + ours else 1.0,
        "focus_error_rate": (missed + false) / theirs if theirs else float(ours),
        "b_wer": own / inside if inside else float(own),
        "u_wer": (edits - own) / (words - inside) if words > inside else float(edits - own),
    }
