"""APES by its definition (Eyal, Baumel and Elhadad 2019, https://aclanthology.org/N19-1395), over words."""

import math
from collections.abc import Callable, Sequence

Words = Sequence[str]
Names = Sequence[Words]
Question = tuple[list[str], str]


def entitized(words: Words, names: Names) -> list[str]:
    """The words, where each name is one entity: the longest name first, whatever its case."""
    found, place = [], 0
    lowered = [word.lower() for word in words]
    ordered = sorted({tuple(word.lower() for word in name) for name in names if name}, key=lambda name: -len(name))
    while place < len(words):
        name = next((each for each in ordered if tuple(lowered[place : place + len(each)]) == each), None)
        found.append("@" + " ".join(name) if name else lowered[place])
        place += len(name) if name else 1
    return found


def questions(sentences: Sequence[Words], names: Names) -> list[Question]:
    """Each sentence with one of its entities masked, and the entity."""
    found = []
    for sentence in (entitized(each, names) for each in sentences):
        for entity in dict.fromkeys(word for word in sentence if word[0] == "@"):
            found.append((["@placeholder" if word == entity else word for word in sentence], entity))
    return found


def lexical_reader(passage: list[str], question: list[str], window: int) -> str | None:
    """The entity near to which most words of the question stand; the first of several."""
    words, best, most = {word for word in question if word != "@placeholder"}, None, -1
    for entity in dict.fromkeys(word for word in passage if word[0] == "@"):
        places = [place for place, word in enumerate(passage) if word == entity]
        near = [{*passage[max(0, at - window) : at], *passage[at + 1 : at + 1 + window]} - {entity} for at in places]
        common = max(len(words & each) for each in near)
        if common > most:
            best, most = entity, common
    return best


def counts(
    text: Words, sentences: Sequence[Words], names: Names, reader: Callable[[list[str], list[str]], str | None]
) -> tuple[int, int]:
    """Questions that are answered right, and all: a text without entities answers none."""
    passage, asked = entitized(text, names), questions(sentences, names)
    if not any(word[0] == "@" for word in passage):
        return 0, len(asked)
    return sum(reader(passage, question) == answer for question, answer in asked), len(asked)


def apes(rows: Sequence[tuple[int, int]]) -> float:
    """The share of the questions of all texts that are answered right.

    >>> apes([(2, 3), (0, 2)])
    0.4
    """
    right, whole = (sum(column) for column in zip(*rows, strict=True))
    return right / whole if whole else 0.0


Matrix = list[list[float]]


def gru(
    vectors: Matrix, of_input: Matrix, of_state: Matrix, input_bias: list[float], state_bias: list[float]
) -> Matrix:
    """The states of a gated recurrent unit (Cho et al. 2014), with the gates in torch's order: reset, update, new."""
    units = len(of_state[0])
    state, found = [0.0] * units, []

    def times(rows: Matrix, vector: list[float], bias: list[float]) -> list[float]:
        return [
            math.fsum(a * b for a, b in zip(row, vector, strict=True)) + c for row, c in zip(rows, bias, strict=True)
        ]

    for vector in vectors:
        own, before = times(of_input, vector, input_bias), times(of_state, state, state_bias)
        gates = [1 / (1 + math.exp(-own[at] - before[at])) for at in range(2 * units)]
        new = [math.tanh(own[2 * units + at] + gates[at] * before[2 * units + at]) for at in range(units)]
        state = [(1 - gates[units + at]) * new[at] + gates[units + at] * state[at] for at in range(units)]
        found.append(state)
    return found
