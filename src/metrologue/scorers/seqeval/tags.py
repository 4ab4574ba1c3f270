"""Entities of sequences of tags: as the package seqeval finds them, in every scheme, and by the strict rules of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from metrologue.errors import InputError, shown

OUTSIDE = ("O", "_")
# What the letters of BILOU and BMES, and of their relatives, are among B, I, E and S.
_MEANT = {"L": "E", "U": "S", "W": "S", "M": "I"}
LETTERS = {
    "BIES": "B, I, E and S alone, as in the package: any other letter, such as L, U and M of BILOU and BMES, neither "
    "begins nor ends an entity unless the type changes, and a tag without a type is of the type _",
    "schemes": "those of all schemes: L is E, U and W are S, M is I; what is no tag is refused",
}


class Entity(NamedTuple):
    """An entity: its type, and the places of its first and its last tag."""

    type: str
    first: int
    last: int


class Scheme(NamedTuple):
    """The rules of a strict scheme.

    A rule has the letter before, the letter itself and perhaps "=" or "!": only if both types are equal, or differ. "*"
    is any letter.
    """

    letters: str
    start: str
    inside: str
    end: str


SCHEMES = {
    "IOB1": Scheme("IOB", "OI II! BI IB= BB=", "BI= II=", "II! IO IB BO BI! BB="),
    "IOB2": Scheme("IOB", "*B", "BI= II=", "IO II! IB BO BI! BB"),
    "IOE1": Scheme("IOE", "OI II! EI EE=", "II= IE=", "II! IO IE! EI= EE="),
    "IOE2": Scheme("IOE", "OI OE EI EE II! IE!", "IE= II=", "E*"),
    "IOBES": Scheme("IOBES", "*B *S", "BI= BE= II= IE=", "S* E*"),
    "BILOU": Scheme("BILOU", "*B *U", "BI= BL= II= IL=", "U* L*"),
}
MEANINGS = {
    "IOB1": "I is an entity; B begins one that follows another of its type",
    "IOB2": "B begins an entity, and I goes on",
    "IOE1": "I is an entity; E ends one that another of its type follows",
    "IOE2": "E ends an entity, and I stands before it",
    "IOBES": "B, I and E of several tokens, S of one",
    "BILOU": "B, I and L of several tokens, U of one",
}
# For each scheme that is found from tags: the letters that they must have, or have alone.
_FOUND_BY = {"IOB2": ("B", ""), "IOE2": ("E", ""), "IOBES": ("BE", "S"), "BILOU": ("BL", "U")}
_STRICT_LETTERS = "IOBESUL"


def parted(tag: str, suffix: bool = False) -> tuple[str, str]:
    """The letter of a tag, and its type: "_" if it has none."""
    letter, rest = (tag[-1:], tag[:-1]) if suffix else (tag[:1], tag[1:])
    return letter, (rest.rsplit("-", 1)[0] if suffix else rest.split("-", 1)[-1]) or "_"


def is_tag(tag: str, suffix: bool, letters: str = "BIES") -> bool:
    """Whether a tag is O, a letter alone, or a letter with a hyphen."""
    return tag in (*letters, "O") or (
        tag[-2:-1] == "-" and tag[-1] in letters if suffix else tag[1:2] == "-" and tag[0] in letters
    )


def of_any_scheme(tag: str, suffix: bool) -> tuple[str, str] | None:
    """The letter, one of B, I, E, S and O, and the type of a tag of any scheme; None for what is no tag."""
    letter, kind = parted(tag, suffix)
    if not is_tag(tag, suffix, "BIES" + "".join(_MEANT)) or (len(tag) > 1 and kind == "_"):
        return None
    return _MEANT.get(letter, letter), kind


def runs(tags: Iterable[tuple[str, str]], at: int = 0, begin: int = 0) -> tuple[list[Entity], int]:
    """The entities of tags, each a letter and a type, by the rules of conlleval as the package has them.

    `at` is the place of the first tag, `begin` where the last entity before it began. The package keeps that place from
    sentence to sentence: an entity that ends without having begun begins there. The second value is the new one.
    """
    found: list[Entity] = []
    before, kind_before = OUTSIDE
    for place, (letter, kind) in enumerate([*tags, OUTSIDE], at):
        changed = kind != kind_before
        if before in "ES" or (before in "BI" and letter in "BSO") or (changed and before not in "O."):
            found.append(Entity(kind_before, begin, place - 1))
        if letter in "BS" or (letter in "EI" and before in "ESO") or (changed and letter not in "O."):
            begin = place
        before, kind_before = letter, kind
    return found, begin


def entities(tags: Sequence[str], suffix: bool = False, letters: str = "BIES") -> set[Entity]:
    """The entities of a sequence of tags, such as B-PER and I-PER.

    Parameters
    ----------
    tags : sequence of n str
    suffix : bool
        Whether the letter comes after the type, as in PER-B.
    letters : str
        "BIES" or "schemes"; see ``LETTERS``.

    Raises
    ------
    InputError
        If a tag is empty, or for "schemes" is none.

    Examples
    --------
    >>> sorted(entities(["B-PER", "I-PER", "O", "I-LOC"]))
    [Entity(type='LOC', first=3, last=3), Entity(type='PER', first=0, last=1)]
    >>> len(entities(["B-PER", "L-PER", "B-PER", "L-PER"])), len(entities(["B-PER", "L-PER"] * 2, letters="schemes"))
    (1, 2)
    """
    found = [of_any_scheme(tag, suffix) if letters == "schemes" else parted(tag, suffix) for tag in tags]
    for index, (tag, each) in enumerate(zip(tags, found, strict=True)):
        if each is None or not tag:
            raise InputError(f"entities: `tags[{index}]` is {shown(tag)}, which is no tag.")
    return {*runs(each for each in found if each)[0]}


def strictly_parted(tag: str, suffix: bool) -> tuple[str, str]:
    """The letter and the type of a tag as the package's schemes read it: hyphens at both ends of the type go."""
    letter, rest = (tag[-1:], tag[:-1]) if suffix else (tag[:1], tag[1:])
    return letter, rest.strip("-") or "_"


def scheme_of(letters: set[str]) -> str | None:
    """The scheme that has all these letters, as the package finds it: IOB2, IOE2, IOBES or BILOU; None if none has.

    Examples
    --------
    >>> scheme_of({"B", "O"}), scheme_of({"B", "E", "O"}), scheme_of({"O"})
    ('IOB2', 'IOBES', None)
    """
    for name, (needed, alone) in _FOUND_BY.items():
        if {*needed} <= letters <= {*SCHEMES[name].letters} or letters == {*alone}:
            return name
    return None


def strict_runs(tags: Sequence[tuple[str, str]], scheme: str) -> Iterator[Entity]:
    """The entities of tags, each a letter of the scheme and a type, that follow its rules from begin to end."""
    rules, read = SCHEMES[scheme], [*tags, OUTSIDE]

    def holds(listed: str, before: tuple[str, str], now: tuple[str, str]) -> bool:
        return any(
            rule[0] in ("*", before[0]) and rule[1] in ("*", now[0])
            and (rule[2:] != "=" or before[1] == now[1]) and (rule[2:] != "!" or before[1] != now[1])
            for rule in listed.split(" ")
        )  # fmt: skip

    place, before = 0, OUTSIDE
    while place < len(read):
        stop = place + 1
        if holds(rules.start, before, read[place]):
            while holds(rules.inside, read[stop - 1], read[stop]):
                stop += 1
            if holds(rules.end, read[stop - 1], read[stop]):
                yield Entity(read[place][1], place, stop - 1)
        place, before = stop, read[stop - 1]


def is_of_a_scheme(tag: str, suffix: bool, scheme: str | None = None) -> bool:
    """Whether a tag has one of a scheme's letters, or of any."""
    return strictly_parted(tag, suffix)[0] in ([*SCHEMES[scheme].letters] if scheme else [*_STRICT_LETTERS])
