"""Rules for tokens as one automaton: at each place of a text the rule with the longest match wins.

A rule is a regular expression. All rules together become one deterministic automaton, which a kernel walks (see
`metrologue.text.tokenizers.kernels.lexer`). Of several rules with the longest match, the first one wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrologue.text.tokenizers.unicode import CODE_POINTS

Ranges = tuple[tuple[int, int], ...]
CharacterSets = Mapping[str, Ranges]
_Fragment = tuple[int, int]
# Without regard to case, a letter outside of a set also matches these: one case of theirs is this letter.
FOLDED = {"i": "\u0130\u0131", "k": "\u212a", "s": "\u017f"}
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}


@dataclass(frozen=True, eq=False)
class Automaton:
    """A deterministic automaton over classes of characters.

    Attributes
    ----------
    classes : uint8 (0x110000,)
        The class of each code point.
    moves : int32 (n_states, n_classes)
        The state that follows. State 0 is the start, and -1 means that no match can follow.
    accepted : int32 (n_states,)
        The rule that matches up to this state, or -1.
    """

    classes: NDArray[np.uint8]
    moves: NDArray[np.int32]
    accepted: NDArray[np.int32]


class _Builder:
    """A nondeterministic automaton (Thompson 1968) that grows by one rule at a time."""

    def __init__(self, sets: CharacterSets) -> None:
        self.sets = sets
        self.empty: list[list[int]] = []
        self.steps: list[tuple[int, int] | None] = []  # the character set and the next state
        self.characters: dict[Ranges, int] = {}
        self.ends: dict[int, int] = {}
        self.start = self.state()

    def targets(self) -> list[int]:
        """The states that follow a character."""
        return [step[1] for step in self.steps if step is not None]

    def state(self) -> int:
        self.empty.append([])
        self.steps.append(None)
        return len(self.empty) - 1

    def single(self, ranges: Iterable[tuple[int, int]]) -> _Fragment:
        start, end = self.state(), self.state()
        self.steps[start] = self.characters.setdefault(tuple(sorted(ranges)), len(self.characters)), end
        return start, end

    def join(self, parts: Sequence[_Fragment]) -> _Fragment:
        if not parts:
            only = self.state()
            return only, only
        for (_, end), (start, _) in pairwise(parts):
            self.empty[end].append(start)
        return parts[0][0], parts[-1][1]

    def either(self, parts: Sequence[_Fragment]) -> _Fragment:
        if len(parts) == 1:
            return parts[0]
        start, end = self.state(), self.state()
        for first, last in parts:
            self.empty[start].append(first)
            self.empty[last].append(end)
        return start, end

    def optional(self, part: _Fragment, skip: bool, again: bool) -> _Fragment:
        start, end = self.state(), self.state()
        self.empty[start].append(part[0])
        self.empty[part[1]].append(end)
        if skip:
            self.empty[start].append(end)
        if again:
            self.empty[part[1]].append(part[0])
        return start, end

    def add(self, pattern: str, ignore_case: bool, rule: int) -> None:
        start, end = _Parser(self, pattern, ignore_case).read()
        self.empty[self.start].append(start)
        self.ends[end] = rule


class _Parser:
    """Reads one regular expression: literals, ``\\`` escapes, sets, groups, ``|``, ``?``, ``*``, ``+``, ``{m,n}``."""

    def __init__(self, builder: _Builder, pattern: str, ignore_case: bool) -> None:
        self.builder, self.pattern, self.ignore_case = builder, pattern, ignore_case
        self.at = 0

    def read(self) -> _Fragment:
        found = self._either()
        if self.at < len(self.pattern):
            raise ValueError(f"pattern {self.pattern!r}: unexpected {self.pattern[self.at]!r} at {self.at}.")
        return found

    def _peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _either(self) -> _Fragment:
        parts = [self._sequence()]
        while self._peek() == "|":
            self.at += 1
            parts.append(self._sequence())
        return self.builder.either(parts)

    def _sequence(self) -> _Fragment:
        parts = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated())
        return self.builder.join(parts)

    def _repeated(self) -> _Fragment:
        begin = self.at
        part = self._atom()
        end = self.at
        sign = self._peek()
        if sign and sign in "?*+":
            self.at += 1
            return self.builder.optional(part, skip=sign != "+", again=sign != "?")
        if sign != "{":
            return part
        close = self.pattern.index("}", self.at)
        low, comma, high = self.pattern[self.at + 1 : close].partition(",")
        least, most = int(low), int(high or low) if high or not comma else -1
        parts = []
        for number in range(max(least, most, 1)):
            self.at = begin
            copy = part if number == 0 else self._atom()
            last = number == max(least, most, 1) - 1
            parts.append(
                self.builder.optional(copy, number >= least, most < 0 and last)
                if number >= least or (most < 0 and last)
                else copy
            )
        self.at = close + 1
        assert end <= close
        return self.builder.join(parts)

    def _atom(self) -> _Fragment:
        sign = self._peek()
        if sign == "(":
            self.at += 3 if self.pattern.startswith("(?:", self.at) else 1
            inner = self._either()
            self.at += 1
            return inner
        if sign == "[":
            return self.builder.single(self._set())
        literal = self._cases(*self._character())
        if self.ignore_case and len(literal) == 2:
            literal += [(ord(mark), ord(mark)) for mark in FOLDED.get(chr(literal[1][0]), "")]
        return self.builder.single(literal)

    def _character(self) -> Ranges:
        sign = self._peek()
        self.at += 1
        if sign == "\\":
            sign = self._peek()
            self.at += 1
            if sign in _ESCAPES:
                sign = _ESCAPES[sign]
            elif sign == "u":
                sign = chr(int(self.pattern[self.at : self.at + 4], 16))
                self.at += 4
            elif sign == "p":
                close = self.pattern.index("}", self.at)
                name = self.pattern[self.at + 1 : close]
                self.at = close + 1
                return self.builder.sets[name]
        return ((ord(sign), ord(sign)),)

    def _cases(self, *ranges: tuple[int, int]) -> list[tuple[int, int]]:
        found = list(ranges)
        if self.ignore_case:
            for low, high in ranges:
                if low == high and chr(low).isascii() and chr(low).isalpha():
                    found = [(ord(case), ord(case)) for case in sorted({chr(low).upper(), chr(low).lower()})]
        return found

    def _set(self) -> list[tuple[int, int]]:
        self.at += 1
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self._peek() != "]":
            first = self._character()
            if self._peek() == "-" and self.pattern[self.at + 1] != "]":
                self.at += 1
                ranges.append((first[0][0], self._character()[0][1]))
            else:
                ranges.extend(self._cases(*first))
        self.at += 1
        return list(_complement(ranges)) if negated else ranges


def _complement(ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    after = 0
    for low, high in sorted(ranges):
        if low > after:
            yield after, low - 1
        after = max(after, high + 1)
    if after < CODE_POINTS:
        yield after, CODE_POINTS - 1


def _classes(characters: Mapping[Ranges, int]) -> tuple[NDArray[np.uint8], list[list[int]]]:
    """The class of each code point, and the classes of each character set."""
    limits = sorted({0, *(end for ranges in characters for low, high in ranges for end in (low, high + 1))})
    bounds = np.array([limit for limit in limits if limit < CODE_POINTS])
    members = np.zeros((len(bounds), len(characters)), np.bool_)
    for ranges, number in characters.items():
        for low, high in ranges:
            members[np.searchsorted(bounds, low) : np.searchsorted(bounds, high + 1), number] = True
    kinds, of_bound = np.unique(members, axis=0, return_inverse=True)
    if len(kinds) > 256:
        raise ValueError(f"{len(kinds)} classes of characters; 256 is the most.")
    classes = np.repeat(of_bound.ravel(), np.diff([*bounds, CODE_POINTS])).astype(np.uint8)
    return classes, [np.flatnonzero(kinds[:, number]).tolist() for number in range(len(characters))]


def automaton(rules: Sequence[tuple[str, bool]], sets: CharacterSets) -> Automaton:
    """The automaton of rules, each a pattern with whether ASCII letters match in any case.

    Parameters
    ----------
    rules : sequence of (str, bool)
    sets : mapping
        The ranges of code points that ``\\p{name}`` stands for.
    """
    builder = _Builder(sets)
    for number, (pattern, ignore_case) in enumerate(rules):
        builder.add(pattern, ignore_case, number)
    classes, of_set = _classes(builder.characters)
    # Only states with a step or an end matter; each set of them is a row of bits.
    kept = [state for state, step in enumerate(builder.steps) if step is not None or state in builder.ends]
    place = {state: number for number, state in enumerate(kept)}
    rule_of = np.array([builder.ends.get(state, len(rules)) for state in kept])
    closures = {state: _closure(builder.empty, state, place) for state in {builder.start, *builder.targets()}}
    steps = np.zeros((len(kept), int(classes.max()) + 1, len(closures[builder.start])), np.uint8)
    for number, state in enumerate(kept):
        if (step := builder.steps[state]) is not None:
            steps[number, of_set[step[0]]] = closures[step[1]]
    start = closures[builder.start]
    numbers, queue = {start.tobytes(): 0, np.zeros_like(start).tobytes(): -1}, [start]
    moves, found = [], []
    for row in queue:
        members = np.flatnonzero(np.unpackbits(row, count=len(kept)))
        found.append(rule_of[members].min())
        targets = np.bitwise_or.reduce(steps[members], axis=0)
        # Most classes lead to the same few sets.
        distinct, of_class = np.unique(targets.view(f"V{targets.shape[1]}").ravel(), return_inverse=True)
        following = []
        for target in distinct:
            key = target.tobytes()
            if key not in numbers:
                numbers[key] = len(queue)
                queue.append(np.frombuffer(key, np.uint8))
            following.append(numbers[key])
        moves.append(np.array(following, np.int32)[of_class.ravel()])
    ends = np.array(found, np.int32)
    ends[ends == len(rules)] = -1
    return Automaton(classes, np.array(moves, np.int32), ends)


def _closure(empty: Sequence[Sequence[int]], state: int, place: Mapping[int, int]) -> NDArray[np.uint8]:
    """The states that one state reaches without a character, itself included, as a row of bits."""
    seen, todo = {state}, [state]
    while todo:
        for following in empty[todo.pop()]:
            if following not in seen:
                seen.add(following)
                todo.append(following)
    row = np.zeros(len(place), np.bool_)
    row[[place[member] for member in seen if member in place]] = True
    return np.packbits(row)
