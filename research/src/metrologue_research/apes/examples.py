"""Examples for APES: texts, questions in which an entity is masked, and the entities that answer them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from metrologue.errors import InputError, shown
from metrologue.files.objects import JsonRecord, json_lines
from metrologue.learned.examples import Examples
from metrologue.representations.mentions import KINDS
from metrologue.representations.parses.named import parser_of
from metrologue.segments import Segments
from metrologue_research.apes.cloze import PLACEHOLDER, candidates_of, clozes, entitized, renumbered

Tokens = tuple[str, ...]


class Question(NamedTuple):
    """A question about a text that has the answer.

    Attributes
    ----------
    passage, question : tuple of str
        Tokens; entities are "@entity0" and so on, and the answer's place is "@placeholder".
    answer : int
        The number of the entity.
    group : str
        What is kept together when a part is held out, such as an article; "" if that is not known.
    """

    passage: Tokens
    question: Tokens
    answer: int
    group: str = ""

    @property
    def candidates(self) -> tuple[int, ...]:
        """The entities of the passage."""
        return candidates_of(self.passage)


@dataclass(frozen=True, eq=False)
class ClozeExamples:
    """Questions about texts.

    Raises an InputError if there are none, the passage of one lacks the answer, or each has one entity alone: nothing
    is to be chosen.
    """

    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        if not self.questions:
            raise InputError("ClozeExamples: there are no questions whose answer the text has.")
        for index, each in enumerate(self.questions):
            if each.answer not in each.candidates:
                raise InputError.at("ClozeExamples", "questions", index, " has an answer that the passage lacks.")
        if all(len(each.candidates) < 2 for each in self.questions):
            raise InputError("ClozeExamples: each passage has one entity alone; there is nothing to choose.")

    def __len__(self) -> int:
        return len(self.questions)

    def rows(self) -> tuple[Examples, np.ndarray, list[int]]:
        """A row for each entity of each passage, with the label 1 for the answer; its question, and its entity."""
        flat = [(place, entity) for place, each in enumerate(self.questions) for entity in each.candidates]
        own = [self.questions[place] for place, _ in flat]
        grouped = all(each.group for each in self.questions)
        examples = Examples(
            predictions=tuple(" ".join(each.passage) for each in own),
            references=tuple((" ".join(each.question),) for each in own),
            targets=np.array([each.answer == entity for each, (_, entity) in zip(own, flat, strict=True)], np.float64),
            groups=tuple(each.group for each in own) if grouped else None,
            labels=True,
        )
        return examples, np.array([place for place, _ in flat]), [entity for _, entity in flat]


def cloze_examples(
    passages: Sequence[str],
    references: Sequence[Any],
    parser: Any = None,
    groups: Sequence[str] | None = None,
    kinds: Sequence[str] = tuple(KINDS),
) -> ClozeExamples:
    """The questions that references ask of texts, as ``Apes`` asks them; those whose answer a text lacks are left out.

    Raises an InputError if the counts differ, there is no such parser or kind, a text has no parse, or there is no such
    question.

    Parameters
    ----------
    passages : sequence of n str
    references : sequence of n str, or of n sequences of str
    parser : parser, path or name
        As the field of ``Apes``.
    groups : sequence of n str, optional
    kinds : sequence of str
        Which entities are asked for, as the field of ``Apes``.

    Examples
    --------
    >>> found = cloze_examples(["Later Anna met Bo."], ["Yesterday Anna met Bo in Rome."])
    >>> [(" ".join(each.question), each.answer) for each in found.questions]
    [('yesterday @placeholder met @entity1 in @entity2 .', 0), ('yesterday @entity0 met @placeholder in @entity2 .', 1)]
    """
    if groups is not None and len(groups) != len(passages):
        raise InputError(f"cloze_examples: `groups` has {len(groups)} entries for {len(passages)} passages.")
    if unknown := [each for each in kinds if each not in KINDS]:
        raise InputError(f"cloze_examples: `kinds` has {shown(unknown[0])}; {' or '.join(KINDS)} is expected.")
    segments = Segments(passages, references, "cloze_examples")
    named = None if parser is None else parser_of("cloze_examples", parser)
    asked = clozes("cloze_examples", segments, named, kinds)
    found = []
    for own, group in zip(asked, groups or [""] * len(passages), strict=True):
        known = {*candidates_of(own.passage)}
        pairs = zip(own.questions, own.answers, strict=True)
        found += [Question(own.passage, question, answer, group) for question, answer in pairs if answer in known]
    return ClozeExamples(tuple(found))


def read_cloze_examples(path: str | os.PathLike[str]) -> ClozeExamples:
    """Examples from JSON Lines, one object for each question.

    The keys are ``passage``, a text; ``question``, a text with "@placeholder"; ``answer``, the name of an entity;
    ``entities``, the names of all; and perhaps ``group``. A question whose answer the passage lacks is left out. Raises
    an InputError if a line is not such an object. The message names it.
    """
    return ClozeExamples(tuple(each for record in json_lines(path) for each in _questions(record)))


def _questions(record: JsonRecord) -> Iterator[Question]:
    passage, question, answer = (record.text(key) for key in ("passage", "question", "answer"))
    names = [*record.texts("entities")]
    known = {" ".join(name.lower().split()): number for number, name in reversed([*enumerate(names)])}
    number = known.get(" ".join(answer.lower().split()))
    if number is None:
        raise InputError(f"{record.where}: 'answer' is {shown(answer)}, which is none of the 'entities'.")
    before, mark, after = question.partition(PLACEHOLDER)
    if not mark:
        raise InputError(f"{record.where}: 'question' is {shown(question)}; a text with {PLACEHOLDER} is expected.")
    parts = [before, *after.split(PLACEHOLDER)]
    asked: Tokens = entitized(parts[0], names)
    for part in parts[1:]:
        asked += (PLACEHOLDER, *entitized(part, names))
    own = entitized(passage, names)
    if number in candidates_of(own):
        order, (own, asked) = renumbered(own, asked)
        group = record.text("group") if record.fields.get("group") is not None else ""
        yield Question(own, asked, order.index(number), group)
