"""How the reader of APES is trained: the loss is the negative logarithm of the probability of the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.features import Features
from metrologue.learned.recipes import Asked, Recipe, described
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.loop import Steps, arrays_in, descend, imported_torch
from metrologue_research.apes.cloze import answer_lexically, entity_number
from metrologue_research.apes.examples import ClozeExamples, Question, read_cloze_examples
from metrologue_research.apes.network import ENTITIES, UNKNOWN, AttentiveReader, shapes_of


@dataclass(frozen=True, kw_only=True)
class ReaderTrainer(Steps):
    """How a reader is trained: the loss is the negative logarithm of the probability of the answer.

    Attributes
    ----------
    hidden : tuple of one int
        The width of the recurrent layers; Chen et al. have 128.
    width : int
        That of the vectors of words.
    least : int
        How often a word must occur to have a vector of its own.
    entities : int
        How many entities of a text have one.
    dropout : float
    """

    epochs: int = 30
    batch: int = 32
    rate: float = 3e-3
    decay: float = 0.0
    patience: int = 3
    hidden: tuple[int, ...] = (32,)
    width: int = 32
    least: int = 3
    entities: int = 32
    dropout: float = 0.2

    @property
    def about(self) -> str:
        return f"a reader with recurrent layers of {self.hidden[0]}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(self, questions: Sequence[Question], **run: Any) -> AttentiveReader:
        """The reader that these questions make.

        Raises an InputError if `hidden` has not one width, or the training diverges.
        """
        if len(self.hidden) != 1:
            raise InputError(f"train: the reader of apes has one recurrent layer a text; {self.hidden} is given.")
        torch = imported_torch()
        counts = Counter(token for each in questions for own in (each.passage, each.question) for token in own)
        words = tuple(sorted(t for t, n in counts.items() if n >= self.least and t[0] != "@"))
        rows = ENTITIES + self.entities + len(words)
        shapes = shapes_of(rows, 1, 1)  # of a reader that numbers tokens, and does no more
        blank = AttentiveReader({name: np.zeros(shape) for name, shape in shapes.items()}, words, self.entities)
        passages, asked = (
            [blank.ids(own) for own in each] for each in zip(*(each[:2] for each in questions), strict=True)
        )
        marks = [[entity_number(token) for token in each.passage] for each in questions]
        answers = torch.tensor([each.answer for each in questions])

        def loss(module: Any, rows: Any) -> Any:
            own = rows.tolist()
            logits = module([passages[row] for row in own], [asked[row] for row in own])
            numbers = _padded(torch, [marks[row] for row in own], -1)
            logits = logits.masked_fill(numbers < 0, -torch.inf)
            right = logits.masked_fill(numbers != answers[rows][:, None], -torch.inf)
            return (torch.logsumexp(logits, 1) - torch.logsumexp(right, 1)).mean()

        groups = [each.group for each in questions] if all(each.group for each in questions) else None
        module = descend(
            self, lambda: _module(torch, rows, self.width, self.hidden[0], self.dropout), loss, len(questions), groups,
            **run,
        )  # fmt: skip
        arrays = {name.removesuffix(".weight"): each for name, each in arrays_in(module).items()}
        return AttentiveReader(arrays, words, self.entities)


def _padded(torch: Any, rows: Sequence[Sequence[int]], filler: int) -> Any:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows])


def _module(torch: Any, rows: int, width: int, units: int, dropout: float) -> Any:
    """The same network as a module of torch, which gives a logit for each token of each passage."""
    nn = torch.nn

    class Module(nn.Module):  # type: ignore[misc, name-defined]  # torch is imported when it is needed
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(rows, width)
            self.passage = nn.GRU(width, units, batch_first=True, bidirectional=True)
            self.question = nn.GRU(width, units, batch_first=True, bidirectional=True)
            self.bilinear = nn.Linear(2 * units, 2 * units, bias=False)
            self.dropout = nn.Dropout(dropout)

        def forward(self, passages: Any, questions: Any) -> Any:
            states = self.read(self.passage, passages)[0]
            last = self.read(self.question, questions)[1]
            asked = self.bilinear(torch.cat([last[0], last[1]], 1))
            return (states * asked[:, None]).sum(2)

        def read(self, layer: Any, texts: Any) -> Any:
            lengths = torch.tensor([len(each) for each in texts])
            vectors = self.dropout(self.embedding(_padded(torch, texts, UNKNOWN)))
            packed = nn.utils.rnn.pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
            states, last = layer(packed)
            return nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0], last

    return Module()


def train_apes(examples: ClozeExamples, asked: Asked) -> TrainedModel:
    """The reader that these questions make. Its rivals are rules that choose an entity.

    What is held out tells how well the probabilities tell the answer of a question from the other entities.
    """
    for given in (examples, asked.test):
        if given is not None and not isinstance(given, ClozeExamples):
            raise InputError("train: apes learns from questions; metrologue_research.apes.examples makes them.")
    trainer = asked.trainer_or(ReaderTrainer(), "apes has a trainer of its own, ReaderTrainer; leave the trainer out.")
    rows, owners, entities = examples.rows()
    questions, test = [*examples.questions], None
    if asked.test is not None:
        test, others, more = asked.test.rows()
        owners = np.concatenate([owners, others + len(questions)])
        questions, entities = [*questions, *asked.test.questions], [*entities, *more]

    def fit(chosen: np.ndarray, **run: Any) -> AttentiveReader:
        return trainer.fit([questions[place] for place in np.unique(owners[chosen])], **run)

    def score(reader: AttentiveReader, chosen: np.ndarray) -> Floats:
        answers = {place: reader.answers(*questions[place][:2]) for place in np.unique(owners[chosen]).tolist()}
        return np.array([answers[int(owners[row])][entities[row]] for row in chosen])

    return replace(asked, test=test).model(
        rows, Features(()), trainer.about, fit, score, lambda: _rivals(questions, owners, entities),
        data={**described(rows), "questions": len(examples)},
    )  # fmt: skip


RECIPE = Recipe(
    "texts and questions alone",
    ReaderTrainer,
    made=train_apes,
    reader=read_cloze_examples,
    needs_features=False,
)


def _rivals(questions: Sequence[Question], owners: np.ndarray, entities: Sequence[int]) -> dict[str, Floats]:
    """The scores of rules: the words near to an entity, how often it comes, and how early."""
    near = [answer_lexically(*each[:2]) for each in questions]
    places = [each.candidates for each in questions]
    pairs = [*zip(owners.tolist(), entities, strict=True)]
    return {
        "lexical reader": np.array([near[place][entity] for place, entity in pairs]),
        "most frequent entity": np.array([float(questions[p].passage.count(f"@entity{e}")) for p, e in pairs]),
        "first entity": np.array([-float(places[place].index(entity)) for place, entity in pairs]),
    }
