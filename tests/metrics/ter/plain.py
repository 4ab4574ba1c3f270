"""TER (Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, "A Study of Translation Edit Rate").

https://aclanthology.org/2006.amta-papers.25. The paper leaves some of the search for shifts open, and here it is that
of its program, tercom, as sacrebleu has it. A text is a list of words.
"""

from math import ceil, floor, inf

Words = list[str]
Shift = tuple[int, int, int]  # where a block of words is, how many words it has, where it begins afterwards


def edit_script(hypothesis: Words, reference: Words, beam: int = 25) -> tuple[float, str]:
    """The least number of edits and one way to make them: H (equal), S (substitute), I (insert) and D (delete).

    Only places near the diagonal of the table are looked at.

    >>> edit_script("a b x d".split(), "a c b d".split())
    (2.0, 'HSSH')
    """
    n, m = len(hypothesis), len(reference)
    ratio = m / n if n else 1.0
    width = ceil(ratio / 2 + beam) if beam < ratio / 2 else beam
    # The edits of the first i words of the hypothesis and the first j of the reference, and the last one of them.
    edits = {(0, j): float(j) for j in range(m + 1)}
    last = dict.fromkeys(edits, "D")
    for i in range(1, n + 1):
        diagonal = floor(i * ratio)
        for j in range(max(0, diagonal - width), m + 1 if i == n else min(m + 1, diagonal + width)):
            equal = j > 0 and hypothesis[i - 1] == reference[j - 1]
            ways = [
                (edits.get((i - 1, j - 1), inf) + (not equal), "H" if equal else "S"),
                (edits.get((i - 1, j), inf) + 1, "I"),
                (edits.get((i, j - 1), inf) + 1, "D"),
            ]
            edits[i, j], last[i, j] = min(ways, key=lambda way: way[0])
    i, j, script = n, m, ""
    while i or j:
        script = last[i, j] + script
        i, j = i - (script[0] != "D"), j - (script[0] != "I")
    return edits[n, m], script


def shifted(words: Words, start: int, length: int, target: int) -> tuple[int, Words]:
    """Where a block begins, and the words, once it is taken out and put in front of word `target`."""
    block, rest = words[start : start + length], words[:start] + words[start + length :]
    begin = target - length if target > start + length else min(target, len(rest))
    return begin, rest[:begin] + block + rest[begin:]


def possible_shifts(words: Words, reference: Words, script: str, max_length: int, max_distance: int) -> list[Shift]:
    """Blocks of wrong words that the reference has where others are missing: start, length and target of each."""
    wrong = [step != "H" for step in script if step != "D"]
    missed = [step != "H" for step in script if step != "I"]
    # How many words of the hypothesis go up to each word of the reference.
    up_to = [len(script[: k + 1].replace("D", "")) for k, step in enumerate(script) if step != "I"]
    found = []
    for start in range(len(words)):
        for place in range(len(reference)):
            for length in range(1, min(max_length, len(words) - start) + 1):
                block = slice(place, place + length)
                if abs(start - place) > max_distance or words[start : start + length] != reference[block]:
                    break
                stays = 0 < up_to[place] - start <= length  # its place in the reference is within the block itself
                if any(wrong[start : start + length]) and any(missed[block]) and not stays:
                    targets = [0 if place == 0 else up_to[place - 1], *up_to[block]]
                    found += [(start, length, target) for target in dict.fromkeys(targets)]
    return found


def shift_and_edit(
    hypothesis: Words,
    reference: Words,
    beam: int = 25,
    max_shift_length: int = 10,
    max_shift_distance: int = 50,
    max_candidates: int = 1000,
) -> tuple[list[Shift], str]:
    """Shift the block that saves most edits, as long as one does; then edit what is left.

    >>> shift_and_edit("on the mat the cat sat".split(), "the cat sat on the mat".split())
    ([(0, 3, 3)], 'HHHHHH')
    """
    words, shifts, tried = hypothesis, [], 0
    while True:
        edits, script = edit_script(words, reference, beam)
        candidates = []
        for start, length, target in possible_shifts(words, reference, script, max_shift_length, max_shift_distance):
            begin, after = shifted(words, start, length, target)
            gain = edits - edit_script(after, reference, beam)[0]
            candidates.append((gain, length, -start, -target, after, begin))
        tried += len(candidates)
        if tried >= max_candidates or not candidates or max(candidates)[0] <= 0:
            return shifts, script
        _, length, start, _, words, begin = max(candidates)
        shifts.append((-start, length, begin))


def ter(hypotheses: list[Words], references: list[list[Words]]) -> float:
    """Edits and shifts by words: to the reference with the fewest of them, by the mean length of a text's references.

    There is a list of references for each hypothesis. Without a word in the references TER is 1, or 0 without an edit.

    >>> round(ter(["on the mat the cat sat".split()], [["the cat sat on the mat".split()]]), 4)
    0.1667
    """
    edits, length = 0, 0.0
    for hypothesis, own in zip(hypotheses, references, strict=True):
        scripts = [shift_and_edit(hypothesis, reference) for reference in own]
        edits += min(len(shifts) + len(script.replace("H", "")) for shifts, script in scripts)
        length += sum(map(len, own)) / len(own)
    return edits / length if length else float(edits > 0)
