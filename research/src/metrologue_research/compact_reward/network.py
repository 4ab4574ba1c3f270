"""The network of the compact reward: what each word of a caption is worth, less how expected it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.files.forms import TEXT, list_of, record
from metrologue.learned.architectures import ArrayNetwork
from metrologue.learned.arrays import check_arrays, check_width, shape_of
from metrologue.learned.features import Features

END, UNKNOWN = 0, 1  # the ids of the end of a caption, and of a word that is not in the vocabulary
_WORD = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words of a caption, in lower case, and its punctuation.

    Examples
    --------
    >>> words_of("A dog's ball.")
    ['a', 'dog', "'", 's', 'ball', '.']
    """
    return _WORD.findall(text.lower())


def contexts_of(features: Features, references: Sequence[Sequence[str]]) -> Floats:
    """What stands for the image: the mean vector of the references of each caption, float64 (n, width)."""
    vectors = features.of_texts([each for own in references for each in own])
    places = np.cumsum([0, *map(len, references)]).tolist()
    return np.array([vectors[first:last].mean(axis=0) for first, last in pairwise(places)])


class Rewards(NamedTuple):
    """The parts of the reward of each word of a caption, and of its end, float64 (words + 1,) each."""

    gain: Floats
    shaping: Floats
    expected: Floats

    @property
    def total(self) -> Floats:
        """The reward: gain + shaping - expected."""
        return self.gain + self.shaping - self.expected


@dataclass(frozen=True, eq=False)
class Reward(ArrayNetwork):
    """Two networks that read a caption word by word: a language model, and one that says what a word is worth.

    Each is a GRU that begins with tanh of a layer of the context. The state before a word gives, by a layer, the
    logarithms of the probabilities of all words, but for a constant, or what each would gain; in the second one, it
    gives its own value too. The value after the end of a caption is 0. Raises an InputError if an array is missing,
    shapes do not fit together, or a number is not finite.

    Attributes
    ----------
    arrays : mapping of str to float32 arrays
        Of ``policy`` and ``reward``: ``start``, ``embed``, ``gru`` and ``out``; and ``reward.value``, if there is any
        shaping. The names within are torch's.
    words : tuple of str
        The vocabulary, from the id 2 on.
    """

    words: tuple[str, ...]

    architecture: ClassVar[str] = "compact_reward"
    settings_form: ClassVar = record({"words": list_of(TEXT)})

    def __post_init__(self) -> None:
        check_arrays("Reward", self.arrays, self._shapes())

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        count = len(self.words) + 2
        found: dict[str, tuple[int, ...]] = {}
        for part in ("policy", "reward"):
            width, context = shape_of("Reward", self.arrays, f"{part}.start.weight", 2)
            _, inner = shape_of("Reward", self.arrays, f"{part}.embed.weight", 2)
            found |= {
                f"{part}.start.weight": (width, context), f"{part}.start.bias": (width,),
                f"{part}.embed.weight": (count, inner),
                f"{part}.gru.weight_ih_l0": (3 * width, inner), f"{part}.gru.weight_hh_l0": (3 * width, width),
                f"{part}.gru.bias_ih_l0": (3 * width,), f"{part}.gru.bias_hh_l0": (3 * width,),
                f"{part}.out.weight": (count, width), f"{part}.out.bias": (count,),
            }  # fmt: skip
        if "reward.value.weight" in self.arrays:
            found |= {"reward.value.weight": (1, width), "reward.value.bias": (1,)}
        return found

    def ids(self, text: str) -> np.ndarray:
        """The ids of the words of a caption, and that of the end."""
        return np.array([*(self._places.get(word, UNKNOWN) for word in words_of(text)), END])

    def rewards(self, text: str, context: Floats) -> Rewards:
        """The parts of the reward of each word of a caption in its context, and of its end."""
        ids = self.ids(text)
        policy = np.array([*self.states("policy", ids[:-1], context)])
        own = np.array([*self.states("reward", ids[:-1], context)])
        expected = [self.logarithms(state)[word] for state, word in zip(policy, ids, strict=True)]
        weights, biases = self._wide["reward.out.weight"], self._wide["reward.out.bias"]
        gain = np.array([weights[word] @ state + biases[word] for state, word in zip(own, ids, strict=True)])
        shaping = np.zeros(len(ids))
        if "reward.value.weight" in self.arrays:
            weight, bias = self._wide["reward.value.weight"][0], self._wide["reward.value.bias"][0]
            values = np.array([weight @ state + bias for state in own] + [0.0])
            shaping = values[1:] - values[:-1]
        return Rewards(gain, shaping, np.array(expected))

    def states(self, part: str, ids: np.ndarray, context: Floats) -> Iterator[Floats]:
        """The states before each word, and after the last one."""
        own = self._wide
        check_width("Reward", context, own[f"{part}.start.weight"].shape[1])
        state = np.tanh(own[f"{part}.start.weight"] @ context + own[f"{part}.start.bias"])
        yield state
        for word in ids:
            state = self.after(part, state, int(word))
            yield state

    def after(self, part: str, state: Floats, word: int) -> Floats:
        """The state after a word."""
        own = self._wide
        given = own[f"{part}.gru.weight_ih_l0"] @ own[f"{part}.embed.weight"][word] + own[f"{part}.gru.bias_ih_l0"]
        kept = own[f"{part}.gru.weight_hh_l0"] @ state + own[f"{part}.gru.bias_hh_l0"]
        reset, update = (_sigmoid(a + b) for a, b in list(zip(np.split(given, 3), np.split(kept, 3), strict=True))[:2])
        size = len(state)
        fresh = np.tanh(given[2 * size :] + reset * kept[2 * size :])
        later: Floats = (1 - update) * fresh + update * state
        return later

    def logarithms(self, state: Floats) -> Floats:
        """The logarithm of the probability of each word after a state of the language model."""
        given = self._wide["policy.out.weight"] @ state + self._wide["policy.out.bias"]
        greatest = given.max()
        logarithms: Floats = given - greatest - np.log(np.exp(given - greatest).sum())
        return logarithms

    @cached_property
    def _wide(self) -> dict[str, Floats]:
        return {name: each.astype(np.float64) for name, each in self.arrays.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words, 2)}

    @property
    def shape(self) -> str:
        width, context = self.arrays["reward.start.weight"].shape
        return f"two GRUs of {width}, a context of {context}, {len(self.words)} words"


def _sigmoid(values: Floats) -> Floats:
    shares: Floats = 0.5 + 0.5 * np.tanh(0.5 * values)
    return shares
