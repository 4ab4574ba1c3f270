"""Entities of tags by the rules of conlleval (Tjong Kim Sang and De Meulder 2003, https://aclanthology.org/W03-0419)."""

Tags = list[str]


def chunks(tags: Tags) -> list[tuple[str, int, int]]:
    """The type, the first and the last place of each entity: each token goes on with the one before it, or begins anew.

    >>> chunks(["B-PER", "I-PER", "O", "I-LOC"])
    [('PER', 0, 1), ('LOC', 3, 3)]
    """
    found: list[tuple[str, int, int]] = []
    before = ("O", "_")
    for place, tag in enumerate(tags):
        letter, kind = tag[:1], tag[1:].split("-", 1)[-1] or "_"
        begins = letter in "BS" or (letter in "EI" and before[0] in "ESO") or kind != before[1]
        if letter not in "O.":
            if begins or not found:
                found.append((kind, place, place))
            else:
                found[-1] = (kind, found[-1][1], place)
        before = (letter, kind)
    return found


def in_bies(tags: Tags) -> Tags:
    """The tags of any scheme in the letters B, I, E and S.

    >>> in_bies(["U-PER", "B-LOC", "M-LOC", "L-LOC", "O"])
    ['S-PER', 'B-LOC', 'I-LOC', 'E-LOC', 'O']
    """
    return [{"L": "E", "U": "S", "W": "S", "M": "I"}.get(tag[0], tag[0]) + tag[1:] for tag in tags]


def seqeval(predictions: list[Tags], references: list[Tags]) -> float:
    """The F1 of the entities of all sequences.

    >>> seqeval([["B-PER", "O"]], [["B-PER", "B-LOC"]]).__round__(4)
    0.6667
    """
    sides = [[{*chunks(tags)} for tags in side] for side in (predictions, references)]
    both = sum(len(ours & right) for ours, right in zip(*sides, strict=True))
    total = sum(len(own) for side in sides for own in side)
    return 2 * both / total if total else 0.0
