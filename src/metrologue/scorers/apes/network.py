"""The reader of APES: recurrent layers over a text and a question, and a softmax over the mentions of entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.files.forms import TEXT, list_of, record, whole
from metrologue.learned.arrays import check_arrays, shape_of
from metrologue.learned.features import Features
from metrologue.learned.measuring import held_out_by
from metrologue.learned.recipes import Asked, described, recipe_of
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue.scorers.apes.cloze import PLACEHOLDER, answer_lexically, entity_number
from metrologue.scorers.apes.examples import ClozeExamples, Question

__all__ = ["AttentiveReader", "ReaderTrainer", "train_apes"]

_UNKNOWN, _PLACEHOLDER, _ENTITIES = 0, 1, 2  # rows of the embedding; those of words come after those of entities
_SIDES = ("passage", "question")
_GRU = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
_WAYS = ("", "_reverse")


@dataclass(frozen=True, eq=False)
class AttentiveReader:
    """A network that answers questions about entities from a text.

    Two recurrent layers, GRUs in both directions, read the text and the question. The state of each mention of an
    entity is multiplied by a matrix and by the last states of the question; a softmax over the mentions gives each a
    probability, and an entity has the sum of those of its mentions.

    Attributes
    ----------
    arrays : mapping of str to float64 array
        By the names that the modules of torch give them: "embedding", "bilinear", and for "passage" and "question" the
        arrays of a GRU, such as "passage.weight_ih_l0_reverse".
    words : tuple of str
        The words that have a vector of their own.
    entities : int
        How many entities have one; those after them share the vector of unknown words.

    Raises
    ------
    InputError
        If an array is missing, shapes do not fit together, or a number is not finite.
    """

    arrays: Mapping[str, Floats]
    words: tuple[str, ...]
    entities: int

    architecture: ClassVar[str] = "attentive-reader"
    reads_texts: ClassVar[bool] = True
    settings_form: ClassVar = record({"words": list_of(TEXT), "entities": whole(0, 1 << 24)})
    file_names: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        _, width = shape_of("AttentiveReader", self.arrays, "embedding", 2)
        units = shape_of("AttentiveReader", self.arrays, "bilinear", 2)[0] // 2
        shapes: dict[str, tuple[int, ...]] = {
            "embedding": (_ENTITIES + self.entities + len(self.words), width),
            "bilinear": (2 * units, 2 * units),
        }
        for side in _SIDES:
            for way in _WAYS:
                own = ((3 * units, width), (3 * units, units), (3 * units,), (3 * units,))
                shapes |= {f"{side}.{part}{way}": shape for part, shape in zip(_GRU, own, strict=True)}
        check_arrays("AttentiveReader", self.arrays, shapes)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the arrays do not say."""
        return {"words": [*self.words], "entities": self.entities}

    @property
    def shape(self) -> str:
        """The widths of its layers."""
        rows, width = self.arrays["embedding"].shape
        return f"{rows}x{width}, two GRUs of {len(self.arrays['bilinear']) // 2} in both directions"

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays by their names."""
        return dict(self.arrays)

    def files(self) -> Mapping[str, bytes]:
        """Nothing else."""
        return {}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        """The network of these parts. Raises an InputError if one is missing."""
        arrays = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        return cls(arrays, tuple(settings["words"]), settings["entities"])

    @cached_property
    def _rows(self) -> dict[str, int]:
        first = _ENTITIES + self.entities
        return {PLACEHOLDER: _PLACEHOLDER, **{word: first + place for place, word in enumerate(self.words)}}

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The row of each token in the embedding."""
        found = []
        for token in tokens:
            number = entity_number(token)
            own = _ENTITIES + number if number < self.entities else _UNKNOWN
            found.append(own if number >= 0 else self._rows.get(token, _UNKNOWN))
        return found

    def states(self, side: str, tokens: Sequence[str]) -> Floats:
        """The states of a GRU after each token, float64 (tokens, 2 * units): from the left, and from the right."""
        vectors = self.arrays["embedding"][self.ids(tokens)]
        there = self._run(side, "", vectors)
        back = self._run(side, "_reverse", vectors[::-1])[::-1]
        return np.hstack([there, back])

    def _run(self, side: str, way: str, vectors: Floats) -> Floats:
        of_input, of_state, input_bias, state_bias = (self.arrays[f"{side}.{part}{way}"] for part in _GRU)
        units = of_state.shape[1]
        given, state = vectors @ of_input.T + input_bias, np.zeros(units)
        found = np.empty((len(vectors), units))
        for place, own in enumerate(given):
            before = of_state @ state + state_bias
            reset, update = 1 / (1 + np.exp(-(own[: 2 * units] + before[: 2 * units]).reshape(2, units)))
            new = np.tanh(own[2 * units :] + reset * before[2 * units :])
            state = (1 - update) * new + update * state
            found[place] = state
        return found

    def answers(self, passage: Sequence[str], question: Sequence[str]) -> dict[int, float]:
        """The probability of each entity of a passage, in the order in which they come."""
        numbers = np.array([entity_number(token) for token in passage], np.int64)
        places = np.flatnonzero(numbers >= 0)
        if not len(places):
            return {}
        logits = self._read(tuple(passage))[places] @ (self.arrays["bilinear"] @ self._asked(question))
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        found: dict[int, float] = {}
        for number, share in zip(numbers[places].tolist(), shares.tolist(), strict=True):
            found[number] = found.get(number, 0.0) + share
        return found

    def _read(self, passage: tuple[str, ...]) -> Floats:
        """The states of a passage. Those of the last one are kept: many questions follow each other about one text."""
        states = self._last.get(passage)
        if states is None:
            states = self.states("passage", passage)
            self._last.clear()
            self._last[passage] = states
        return states

    @cached_property
    def _last(self) -> dict[tuple[str, ...], Floats]:
        return {}

    def _asked(self, question: Sequence[str]) -> Floats:
        """The last states of the question: those of both directions."""
        units = len(self.arrays["bilinear"]) // 2
        states = self.states("question", question)
        return np.concatenate([states[-1, :units], states[0, units:]]) if len(states) else np.zeros(2 * units)


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
    epochs, batch, rate, decay, patience, share, seed
        As for ``Steps``.
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
        """How it trains, in a few words."""
        return f"a reader with recurrent layers of {self.hidden[0]}, at most {self.epochs} epochs, seed {self.seed}"

    def fit(self, questions: Sequence[Question], **run: Any) -> AttentiveReader:
        """The reader that these questions make.

        Raises
        ------
        InputError
            If `hidden` has not one width, or the training diverges.
        """
        if len(self.hidden) != 1:
            raise InputError(f"train: the reader of apes has one recurrent layer a text; {self.hidden} is given.")
        torch = imported_torch()
        counts = Counter(token for each in questions for own in (each.passage, each.question) for token in own)
        words = tuple(sorted(t for t, n in counts.items() if n >= self.least and t[0] != "@"))
        blank = _blank(words, self.entities)
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
        rows = _ENTITIES + self.entities + len(words)
        module = descend(
            self, lambda: _module(torch, rows, self.width, self.hidden[0], self.dropout), loss, len(questions), groups,
            **run,
        )  # fmt: skip
        arrays = {name: each.detach().numpy().astype(np.float64) for name, each in module.state_dict().items()}
        arrays = {name.removesuffix(".weight"): each for name, each in arrays.items()}
        return AttentiveReader(arrays, words, self.entities)


def _blank(words: tuple[str, ...], entities: int) -> AttentiveReader:
    """A reader of zeros, which numbers tokens."""
    shapes: dict[str, tuple[int, ...]] = {"embedding": (_ENTITIES + entities + len(words), 1), "bilinear": (2, 2)}
    for side in _SIDES:
        for way in _WAYS:
            shapes |= {
                f"{side}.{part}{way}": shape for part, shape in zip(_GRU, ((3, 1), (3, 1), (3,), (3,)), strict=True)
            }
    return AttentiveReader({name: np.zeros(shape) for name, shape in shapes.items()}, words, entities)


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
            vectors = self.dropout(self.embedding(_padded(torch, texts, _UNKNOWN)))
            packed = nn.utils.rnn.pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
            states, last = layer(packed)
            return nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0], last

    return Module()


def train_apes(examples: ClozeExamples, asked: Asked) -> TrainedModel:
    """The reader that these questions make. Its rivals are rules that choose an entity."""
    tested: Any = asked.test
    for given in (examples, tested):
        if given is not None and not isinstance(given, ClozeExamples):
            raise InputError("train: apes learns from questions; metrologue.scorers.apes.examples makes them.")
    trainer = asked.trainer or recipe_of("apes").trainer()
    if not isinstance(trainer, ReaderTrainer):
        raise InputError("train: apes has a trainer of its own, ReaderTrainer; leave the trainer out.")
    rows, owners, entities = examples.rows()
    report: dict[str, Any] = {
        "trainer": trainer.about,
        "data": {**described(rows), "questions": len(examples)},
    }
    if asked.measure:
        questions, test = [*examples.questions], None
        if tested is not None:
            test, others, more = tested.rows()
            owners = np.concatenate([owners, others + len(questions)])
            questions, entities = [*questions, *tested.questions], [*entities, *more]
        report["held_out"] = _held_out(trainer, rows, test, questions, owners, entities, asked.seed)
    network = trainer.fit(examples.questions, checkpoint=asked.checkpoint, hidden_bar=asked.hidden_bar)
    return TrainedModel("apes", Features(()), network, report)


def _held_out(
    trainer: ReaderTrainer,
    rows: Any,
    test: Any,
    questions: Sequence[Question],
    owners: np.ndarray,
    entities: Sequence[int],
    seed: int,
) -> dict[str, Any]:
    """What is reached on parts that were held out: how well the probabilities tell the answer from other entities."""

    def learner(training: np.ndarray, scored: np.ndarray) -> Floats:
        reader = trainer.fit([questions[place] for place in np.unique(owners[training])])
        found = {place: reader.answers(*questions[place][:2]) for place in np.unique(owners[scored]).tolist()}
        return np.array([found[int(owners[row])][entities[row]] for row in scored])

    return held_out_by(learner, _rivals(questions, owners, entities), rows, seed=seed, test=test).to_dict()


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
