"""Training the compact reward: a language model of captions, and then a network that tells them from others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.rivals import rival_scores
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.linear import check_both_classes
from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue_research.compact_reward.examples import read_captions
from metrologue_research.compact_reward.network import END, Reward, contexts_of, words_of


@dataclass(frozen=True, kw_only=True)
class RewardTrainer(Steps):
    """Two trainings, one after the other: a language model of human captions, and then the reward.

    The second network learns to tell human captions from other ones, and from captions that the language model
    draws: the probability of a word being one of people is 1 / (1 + exp(-reward)). The loss is the cross-entropy, as a
    mean over the words of a caption and then over captions; human captions weigh as much as all others. The
    language model is not trained against the reward.

    Attributes
    ----------
    hidden : tuple of one int
        The width of both GRUs.
    embedded : int
        The width of the vectors of words.
    shaped : bool
        Whether there is a value of what stands there already; without it, a word's gain alone counts.
    least_count : int
        How often a word must occur in human captions to be in the vocabulary.
    drawn : int
        The words of a caption that the language model draws, at most.
    """

    hidden: tuple[int, ...] = (128,)
    embedded: int = 64
    shaped: bool = True
    least_count: int = 2
    drawn: int = 20
    epochs: int = 30
    patience: int = 3
    decay: float = 0.0

    @property
    def about(self) -> str:
        how = "with" if self.shaped else "without"
        return f"GRUs of {self.hidden[0]}, {how} a value of states, at most {self.epochs} epochs, seed {self.seed}"

    def fit(
        self, texts: Sequence[str], contexts: Floats, labels: Floats, groups: Sequence[str],
        checkpoint: str | os.PathLike[str] | None = None, hidden_bar: bool = True,
    ) -> Reward:  # fmt: skip
        """The network that these captions make.

        Raises an InputError if all labels are equal, or a training diverges.

        Parameters
        ----------
        texts : sequence of n str
        contexts : float64 (n, width)
        labels : float64 (n,)
            1 for a human caption, 0 for another one.
        groups : sequence of n str
        checkpoint : path, optional
            The file of the second training; that of the first has "-policy" in its name.
        """
        check_both_classes(labels)
        human = np.flatnonzero(labels == 1).tolist()
        counts = Counter(word for row in human for word in words_of(texts[row]))
        words = tuple(sorted(word for word, count in counts.items() if count >= self.least_count))
        first = None if checkpoint is None else Path(checkpoint).with_stem(f"{Path(checkpoint).stem}-policy")
        policy = _Reader(self, words, "policy", contexts.shape[1])
        own = [texts[row] for row in human], contexts[human], [groups[row] for row in human]
        arrays = policy.fitted(*own, None, None, first, hidden_bar)
        # A network with the language model alone, to draw from it and to ask it.
        known = Reward({**arrays, **policy.zeros("reward")}, words)
        draws = np.random.default_rng(self.seed)
        drawn = [self._caption(known, context, draws) for context in contexts[human]]
        every = [*texts, *drawn]
        wide = np.vstack([contexts, contexts[human]])
        kinds = np.concatenate([labels, np.zeros(len(human))])
        expected = [known.rewards(text, context).expected for text, context in zip(every, wide, strict=True)]
        named = [*groups, *own[2]]
        reward = _Reader(self, words, "reward", contexts.shape[1])
        return Reward(
            {**arrays, **reward.fitted(every, wide, named, kinds, expected, checkpoint, hidden_bar)}, words
        )  # fmt: skip

    def _caption(self, network: Reward, context: Floats, draws: np.random.Generator) -> str:
        found: list[str] = []
        [state] = network.states("policy", np.zeros(0, np.int64), context)
        for _ in range(self.drawn):
            shares = np.exp(network.logarithms(state))
            word = int(draws.choice(len(shares), p=shares / shares.sum()))
            if word == END:
                break
            found.append(network.words[word - 2] if word > 1 else "?")
            state = network.after("policy", state, word)
        return " ".join(found)


class _Reader:
    """One of both networks, in torch."""

    def __init__(self, trainer: RewardTrainer, words: tuple[str, ...], part: str, context: int) -> None:
        self.trainer, self.words, self.part, self.context = trainer, words, part, context

    def module(self) -> Any:
        """The network, with new weights."""
        nn, own, count = imported_torch().nn, self.trainer, len(self.words) + 2
        [width] = own.hidden
        parts = {
            "start": nn.Linear(self.context, width),
            "embed": nn.Embedding(count, own.embedded),
            "gru": nn.GRU(own.embedded, width, batch_first=True),
            "out": nn.Linear(width, count),
        }
        if self.part == "reward" and own.shaped:
            parts["value"] = nn.Linear(width, 1)
        return nn.ModuleDict(parts)

    def zeros(self, part: str) -> dict[str, np.ndarray]:
        """The arrays of the other network, without any weight."""
        with imported_torch().random.fork_rng(devices=[]):  # the user's own draws stay
            empty = _Reader(self.trainer, self.words, part, self.context).module().state_dict()
        return {f"{part}.{name}": np.zeros(each.shape, np.float32) for name, each in empty.items()}

    def fitted(
        self, texts: Sequence[str], contexts: Floats, groups: Sequence[str], labels: Floats | None,
        expected: list[Floats] | None, checkpoint: Any, hidden_bar: bool,
    ) -> dict[str, np.ndarray]:  # fmt: skip
        """The arrays after a training: of a language model, or of a reward if there are labels."""
        torch = imported_torch()
        places = {word: place for place, word in enumerate(self.words, 2)}
        ids = [[*(places.get(word, 1) for word in words_of(text)), END] for text in texts]
        given = torch.tensor(contexts, dtype=torch.float32)

        def loss(module: Any, rows: Any) -> Any:
            parts = [rows] if module.training else torch.split(rows, 256)
            found = (self._loss(module, part, ids, given, labels, expected) * len(part) for part in parts)
            return sum(found) / len(rows)

        module = descend(
            self.trainer.alone, self.module, loss, len(ids), groups, checkpoint=checkpoint, hidden_bar=hidden_bar
        )
        return {f"{self.part}.{name}": each.numpy() for name, each in module.state_dict().items()}

    def _loss(
        self, module: Any, rows: Any, ids: list[list[int]], contexts: Any, labels: Floats | None,
        expected: list[Floats] | None,
    ) -> Any:  # fmt: skip
        torch = imported_torch()
        own = [ids[row] for row in rows.tolist()]
        lengths = torch.tensor([len(each) for each in own])
        longest = int(lengths.max())
        words = torch.tensor([each + [END] * (longest - len(each)) for each in own])
        there = (torch.arange(longest) < lengths[:, None]).float()
        start = torch.tanh(module["start"](contexts[rows]))
        later, _ = module["gru"](module["embed"](words), start[None])
        states = torch.cat([start[:, None], later], 1)  # before each word, and after the last one
        given = module["out"](states[:, :-1])
        if labels is None or expected is None:
            found = torch.nn.functional.cross_entropy(given.transpose(1, 2), words, reduction="none")
            return ((found * there).sum(1) / lengths).mean()
        reward = given.gather(2, words[:, :, None])[:, :, 0]
        if "value" in module:
            values = module["value"](states)[:, :, 0]
            ended = torch.arange(longest) == lengths[:, None] - 1
            reward = reward + torch.where(ended, 0.0, values[:, 1:]) - values[:, :-1]
        known = torch.zeros(words.shape)
        for at, row in enumerate(rows.tolist()):
            known[at, : len(own[at])] = torch.tensor(expected[row], dtype=torch.float32)
        label = torch.tensor(labels[rows.numpy()], dtype=torch.float32)
        found = torch.nn.functional.binary_cross_entropy_with_logits(
            reward - known, label[:, None].expand(words.shape), reduction="none"
        )
        share = float(labels.mean())
        weights = torch.where(label == 1, 0.5 / share, 0.5 / (1 - share))
        return ((found * there).sum(1) / lengths * weights).mean()


def train_reward(examples: Examples, asked: Asked) -> TrainedModel:
    """A reward that tells human captions from others."""
    told = "compact_reward has a RewardTrainer with one width; leave the trainer out."
    trainer = asked.trainer_or(RewardTrainer(seed=asked.seed), told)
    if len(trainer.hidden) != 1:
        raise InputError(f"train: {told}")
    examples.check_varied()
    features, whole = Features.of(asked.encoders), asked.whole(examples)
    contexts, groups = contexts_of(features, whole.references), whole.kept_together

    def fit(rows: np.ndarray, **run: Any) -> Reward:
        texts, named = [whole.predictions[row] for row in rows], [groups[row] for row in rows]
        return trainer.fit(texts, contexts[rows], whole.targets[rows], named, **run)

    def score(network: Reward, rows: np.ndarray) -> Floats:
        return np.array([network.rewards(whole.predictions[row], contexts[row]).total.mean() for row in rows])

    return asked.model(examples, features, trainer.about, fit, score, lambda: rival_scores(whole, features))


RECIPE = Recipe(
    "the vectors of the references by one encoder or several",
    RewardTrainer,
    encoders=True,
    labels=True,
    made=train_reward,
    reader=read_captions,
)
