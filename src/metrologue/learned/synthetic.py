"""Texts that were damaged on purpose: words left out, repeated, put in another order, or filled in by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from metrologue.errors import InputError

Draws = np.random.Generator
Words = list[str]
# A way to damage a text: from its words, the words of other texts, and a generator.
Damage = Callable[[Words, Words, Draws], Words]

# Fills the places of a text that are None with words.
Filling = Callable[[Sequence[list[str | None]], Draws], list[Words]]


def _some(count: int, draws: Draws, most: float = 0.6) -> np.ndarray:
    """Places of a text, at least one: up to so large a share of them."""
    share = draws.uniform(0.1, most)
    return np.sort(draws.choice(count, min(max(1, round(share * count)), count), replace=False))


def _dropped(words: Words, pool: Words, draws: Draws) -> Words:
    gone = {*_some(len(words), draws).tolist()} if len(words) > 1 else set()
    return [word for place, word in enumerate(words) if place not in gone]


def _shuffled(words: Words, pool: Words, draws: Draws) -> Words:
    """A stretch of the words, in another order."""
    size = int(draws.integers(2, max(3, len(words) + 1)))
    start = int(draws.integers(0, max(1, len(words) - size + 1)))
    part = words[start : start + size]
    return [*words[:start], *(part[place] for place in draws.permutation(len(part))), *words[start + size :]]


def _replaced(words: Words, pool: Words, draws: Draws) -> Words:
    made = [*words]
    for place in _some(len(words), draws):
        made[place] = pool[int(draws.integers(len(pool)))]
    return made


def _repeated(words: Words, pool: Words, draws: Draws) -> Words:
    again = {*_some(len(words), draws, 0.4).tolist()}
    return [word for place, word in enumerate(words) for _ in range(2 if place in again else 1)]


def _cut(words: Words, pool: Words, draws: Draws) -> Words:
    return words[: int(draws.integers(1, max(2, len(words))))]


def _whole(words: Words, pool: Words, draws: Draws) -> Words:
    return words


DAMAGES: Mapping[str, Damage] = {
    "dropped": _dropped,
    "shuffled": _shuffled,
    "replaced": _replaced,
    "repeated": _repeated,
    "cut": _cut,
}


def damaged(text: str, how: str, pool: Words, draws: Draws) -> str:
    """A text that was damaged in one of ``DAMAGES``; one without words stays as it is.

    Examples
    --------
    >>> damaged("the cat sat on the mat", "shuffled", [], np.random.default_rng(0))
    'on sat mat the the cat'
    """
    words = text.split()
    return " ".join(DAMAGES[how](words, pool, draws)) if words else text


class Synthetic:
    """Pairs of a text and what was made of it.

    Attributes
    ----------
    references, candidates : list of n str
    kinds : int64 (n,)
        How each candidate was made, as a place in `names`.
    """

    def __init__(self, references: list[str], candidates: list[str], kinds: np.ndarray, names: tuple[str, ...]) -> None:
        self.references, self.candidates, self.kinds, self.names = references, candidates, kinds, names

    def __len__(self) -> int:
        return len(self.references)


def synthetic_pairs(texts: Sequence[str], count: int, seed: int = 0, fill: Filling | None = None) -> Synthetic:
    """Pairs of texts, to pre-train on: damaged ones, equal ones, and ones that have nothing to do with each other.

    Each damage, "filled" if words can be filled in, "equal" and "other" have about the same number of pairs. Raises an
    InputError if no text has two words.

    Parameters
    ----------
    count : int
        The number of pairs.
    fill : callable, optional
        Fills in words that are left out, such as a ``MaskFilling``.

    Examples
    --------
    >>> found = synthetic_pairs(["the cat sat down", "a dog ran to me"], 8, seed=1)
    >>> found.names
    ('dropped', 'shuffled', 'replaced', 'repeated', 'cut', 'equal', 'other')
    >>> len(found), found.references[0], found.candidates[0]
    (8, 'the cat sat down', 'the cat sat')
    """
    usable = [text for text in dict.fromkeys(texts) if len(text.split()) > 1]
    if not usable:
        raise InputError("train: no text has two words; there is nothing to make pairs of.")
    pool = [word for text in usable for word in text.split()]
    draws = np.random.default_rng(seed)
    names = (*DAMAGES, *(["filled"] if fill else []), "equal", "other")
    kinds = np.arange(count) % len(names)
    references = [usable[place] for place in draws.integers(0, len(usable), count)]
    candidates = [
        damaged(text, names[kind], pool, draws) if names[kind] in DAMAGES else text
        for text, kind in zip(references, kinds, strict=True)
    ]
    for row in np.flatnonzero(kinds == names.index("other")):
        candidates[row] = usable[int(draws.integers(len(usable)))]
    if fill:
        rows = np.flatnonzero(kinds == names.index("filled"))
        holes = [_holes(references[row].split(), draws) for row in rows]
        for row, words in zip(rows, fill(holes, draws), strict=True):
            candidates[row] = " ".join(words)
    return Synthetic(references, candidates, kinds, names)


def _holes(words: Words, draws: Draws) -> list[str | None]:
    """The words with holes: single ones, or a stretch of them, as in the paper."""
    if draws.random() < 0.5:
        gone = {*_some(len(words), draws).tolist()}
    else:
        size = int(draws.integers(1, max(2, len(words))))
        start = int(draws.integers(0, len(words) - size + 1))
        gone = {*range(start, start + size)}
    return [None if place in gone else word for place, word in enumerate(words)]


class MaskFilling:
    """Fills holes with what a masked language model draws for each of them, from the first to the last.

    Raises an InputError if it is none, or its tokenizer has no mask.

    Parameters
    ----------
    model_id : str or path
        A folder with a masked language model of `transformers`, or its name on the Hub.
    """

    def __init__(self, model_id: Any) -> None:
        from metrologue.language_models.pretrained import libraries, local_files_only, model_at, reading, tokenizer_at

        _, transformers = libraries("MaskFilling")
        with reading("MaskFilling", str(model_id), "a masked language model"):
            own = {"local_files_only": local_files_only(model_id)}
            self._tokenizer = tokenizer_at(transformers.AutoTokenizer, model_id, **own)
            self._model = model_at(transformers.AutoModelForMaskedLM, model_id, dtype="float32", **own).eval()
        if self._tokenizer.mask_token_id is None:
            raise InputError(f"MaskFilling: the tokenizer of {model_id} has no mask.")

    def __call__(self, texts: Sequence[list[str | None]], draws: Draws) -> list[Words]:
        """The words of each text, with its holes filled."""
        return [self._filled(text, draws) for text in texts]

    def _filled(self, words: list[str | None], draws: Draws) -> Words:
        import torch

        own = self._tokenizer
        masked = " ".join(own.mask_token if word is None else word for word in words)
        ids = own(masked, return_tensors="pt", truncation=True)["input_ids"]
        found: list[str] = []
        with torch.inference_mode():
            for place in (ids[0] == own.mask_token_id).nonzero()[:, 0].tolist():
                shares = self._model(input_ids=ids).logits[0, place].double()
                shares[own.all_special_ids] = -np.inf
                best = torch.softmax(shares, 0).topk(min(10, len(shares)))
                chosen = best.indices[draws.choice(len(best.indices), p=(best.values / best.values.sum()).numpy())]
                ids[0, place] = chosen
                found.append(own.decode([int(chosen)]).strip())
        left = iter(found)  # a hole beyond the model's context has no word
        return [word for word in (next(left, "") if each is None else each for each in words) if word]
