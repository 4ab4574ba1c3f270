"""Pairs of dialogues, one of them better than the other in some way: what FineD-Eval is trained on."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.files.objects import JsonRecord, json_lines
from metrologue.files.values import finite
from metrologue.learned.exchanges import recorded_turns
from metrologue.representations.pairs import LABELS, FunctionEmotions, FunctionEntailment
from metrologue_research.fined_eval.by_words import emotions_by_words, judged_by_words
from metrologue_research.fined_eval.network import HEADS

Turns = tuple[str, ...]
Drawn = list[tuple[int, int]]

JUDGE_BY_WORDS = FunctionEntailment("words", judged_by_words, "1")
EMOTIONS_BY_WORDS = FunctionEmotions("words", emotions_by_words, "1")

_CONTRADICTION, _ENTAILMENT = LABELS.index("contradiction"), LABELS.index("entailment")
_LEAST_TURNS = 3
_MOST_POSITIVE = 2  # a dialogue with more positive turns is a likable one, in the paper
_FEW = 20  # of more than so many times the pairs that are wanted, some are drawn before they are compared
_TRIES = 50  # orders that are drawn until one differs enough


class DialoguePair(NamedTuple):
    """Two dialogues, each a tuple of its turns.

    Attributes
    ----------
    head : str
        In which way it is better: one of ``HEADS``.
    groups : (str, str)
        The groups of both. Dialogues of a group are never on both sides of what is held out.
    """

    better: Turns
    worse: Turns
    head: str
    groups: tuple[str, str]


@dataclass(frozen=True)
class DialoguePairs:
    """Pairs of dialogues, one of them better than the other.

    Raises an InputError if there are none, or a head is unknown.

    Attributes
    ----------
    made : str
        How the pairs were made, for the model's card.
    """

    pairs: tuple[DialoguePair, ...]
    made: str

    def __post_init__(self) -> None:
        if not self.pairs:
            raise InputError("train: there are no pairs of dialogues.")
        for index, own in enumerate(self.pairs):
            if own.head not in HEADS:
                raise InputError.at("train", "pairs", index, f" is of {shown(own.head)}; {instead_of(own.head, HEADS)}")

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def better(self) -> tuple[Turns, ...]:
        """The better dialogue of each pair."""
        return tuple(own.better for own in self.pairs)

    @property
    def worse(self) -> tuple[Turns, ...]:
        """The worse dialogue of each pair."""
        return tuple(own.worse for own in self.pairs)

    @property
    def heads(self) -> tuple[str, ...]:
        """The head of each pair."""
        return tuple(own.head for own in self.pairs)

    @property
    def groups(self) -> tuple[tuple[str, str], ...]:
        """The groups of both dialogues of each pair."""
        return tuple(own.groups for own in self.pairs)

    def take(self, rows: Sequence[int] | np.ndarray) -> DialoguePairs:
        """Some pairs."""
        return DialoguePairs(tuple(self.pairs[row] for row in rows), self.made)

    def check_heads(self) -> None:
        """Refuse pairs from which a head learns nothing. Raises an InputError with its name."""
        if missing := [head for head in HEADS if head not in self.heads]:
            raise InputError(f"train: there are no pairs for {missing[0]}; fined_eval learns {', '.join(HEADS)}.")


def dialogue_pairs(
    dialogues: Sequence[Sequence[str]],
    *,
    groups: Sequence[str] | None = None,
    judge: Any = JUDGE_BY_WORDS,
    emotions: Any = EMOTIONS_BY_WORDS,
    relevance: Any = None,
    count: int = 500,
    share: float = 1 / 3,
    seed: int = 0,
) -> DialoguePairs:
    """Pairs of dialogues that nobody rated, made in the three ways of the paper.

    ``coherence``: a dialogue, and the same turns in another order. ``likability``: one half of the pairs is a dialogue
    whose neighbouring turns contradict each other least, and one where they do most; in the other half, the first
    dialogue has more than two positive turns, and the second one has not. ``topic_depth``: a dialogue whose turns
    entail each other least, as a mean over all two turns, and one where they do most. Least and most are the two ends
    of all dialogues in this order, where the authors chose thresholds by hand for their models. Raises an InputError if
    the counts differ, `share` is out of range, or there are no pairs for one of the heads.

    Parameters
    ----------
    dialogues : n sequences of str
        The turns of each. Those with fewer than three turns are left out.
    groups : sequence of n str, optional
        By default each dialogue is a group.
    judge : model of inference
        Such as an ``EntailmentModel``. By default a rule that compares words.
    emotions : classifier of emotions
        Such as an ``EmotionModel``. By default a list of words.
    relevance : classifier of pairs, optional
        What says how well a turn answers the one before, such as a ``CrossEncoder``. With it, the dialogues whose turns
        answer least make no pairs for coherence, and another order must answer less than the true one.
    count : int
        So many pairs of each head, at most.
    share : float
        The share of the dialogues at each of the two ends; at most 0.5.
    seed : int
        Of what is drawn.

    Examples
    --------
    >>> calm = ["Do you like tea?", "I love it.", "It is great!", "Good to hear."]
    >>> other = ["I like rain.", "I don't like rain.", "You don't like rain?", "I like rain."]
    >>> found = dialogue_pairs([calm, other], count=2, share=0.5)
    >>> found.heads
    ('coherence', 'coherence', 'likability', 'likability', 'topic_depth')
    >>> found.better[2] == found.better[4] == (*calm,) and found.worse[2] == found.worse[4] == (*other,)
    True
    >>> sorted(found.better[0]) == sorted(found.worse[0]), found.better[0] == found.worse[0]
    (True, False)
    """
    if groups is not None and len(groups) != len(dialogues):
        raise InputError(f"train: `groups` has {len(groups)} entries for {number_of(len(dialogues), 'dialogue')}.")
    if not 0 < share <= 0.5 or count < 1:
        raise InputError(f"train: `share` is {share:g} and `count` is {count}; above 0 to 0.5, and 1 or more.")
    named = zip(dialogues, groups or _numbered(len(dialogues)), strict=True)
    kept = [(tuple(turns), group) for turns, group in named if len(turns) >= _LEAST_TURNS]
    texts, draws = [turns for turns, _ in kept], np.random.default_rng(seed)
    answers = None if relevance is None else _answers(relevance, texts)
    contradicting = _means(texts, lambda a, b: judge.judge_pairs(a, b)[0][:, _CONTRADICTION], pairwise)
    entailed = _means(texts, lambda a, b: judge.judge_pairs(a, b)[0][:, _ENTAILMENT], lambda own: combinations(own, 2))
    cheerful = emotions.positive_shares([turn for turns in texts for turn in turns]) > 0.5
    positive = np.array([float(cheerful[a:b].sum()) for a, b in pairwise(np.cumsum([0, *map(len, texts)]))])
    glad, others = np.flatnonzero(positive > _MOST_POSITIVE), np.flatnonzero(positive <= _MOST_POSITIVE)
    calm = _ends(contradicting, share, count, draws)
    merry = _drawn(glad, others, -positive, count, draws)
    half = (count + 1) // 2 if merry else count
    chosen = {
        "coherence": _reordered(texts, count, draws, relevance, answers, share),
        "likability": [(texts[a], texts[b], a, b) for a, b in (calm[:half] + merry)[:count]],
        "topic_depth": [(texts[a], texts[b], a, b) for a, b in _ends(entailed, share, count, draws)],
    }
    for head, own in chosen.items():
        if not own:
            raise InputError(
                f"train: {number_of(len(texts), 'dialogue')} of {_LEAST_TURNS} turns or more make no pairs for {head}; "
                "give more dialogues, or classifiers that tell them apart."
            )
    pairs = (
        DialoguePair(one, other, head, (kept[a][1], kept[b][1]))
        for head, own in chosen.items()
        for one, other, a, b in own
    )
    return DialoguePairs(tuple(pairs), _told(judge, emotions, relevance))


def _numbered(count: int) -> list[str]:
    return [f"dialogue {place}" for place in range(1, count + 1)]


def _told(judge: Any, emotions: Any, relevance: Any) -> str:
    answers = f", answers by {relevance.name}" if relevance is not None else ""
    return f"turns in another order, inference by {judge.name}, emotions by {emotions.name}{answers}"


def _means(
    dialogues: Sequence[Turns], of_pairs: Callable[[list[str], list[str]], Floats], choose: Callable[[Turns], Any]
) -> Floats:
    """The mean of a number over chosen pairs of turns of each dialogue, (n,)."""
    chosen = [[*choose(turns)] for turns in dialogues]
    flat = [*dict.fromkeys(pair for own in chosen for pair in own)]
    values = of_pairs([one for one, _ in flat], [other for _, other in flat])
    known = dict(zip(flat, values.tolist(), strict=True))
    return np.array([math.fsum(known[pair] for pair in own) / len(own) for own in chosen])


def _ends(values: Floats, share: float, count: int, draws: np.random.Generator) -> Drawn:
    """Dialogues with the least values, each with one that has a greatest value."""
    order, many = np.argsort(values, kind="stable"), max(1, round(share * len(values)))
    return _drawn(order[:many], order[max(0, len(order) - many) :], values, count, draws)


def _drawn(low: np.ndarray, high: np.ndarray, values: Floats, count: int, draws: np.random.Generator) -> Drawn:
    """Pairs of both sides of which the first one has the lower value: all, or so many of them."""
    size = len(low) * len(high)
    if not size:
        return []
    numbers = np.arange(size) if size <= _FEW * count else np.unique(draws.integers(0, size, _FEW * count))
    one, other = low[numbers // len(high)], high[numbers % len(high)]
    fit = np.flatnonzero(values[one] < values[other])
    if len(fit) > count:
        fit = draws.choice(fit, count, replace=False)
    return [*zip(one[fit].tolist(), other[fit].tolist(), strict=True)]


def _reordered(
    dialogues: Sequence[Turns], count: int, draws: np.random.Generator, relevance: Any, answers: Floats | None,
    share: float,
) -> list[tuple[Turns, Turns, int, int]]:  # fmt: skip
    """Dialogues, each with the same turns in another order."""
    usable = [place for place, turns in enumerate(dialogues) if len({*turns}) > 1]
    if answers is not None:
        least = np.argsort(answers, kind="stable")[: round(share * len(dialogues))]
        usable = [place for place in usable if place not in least]
    found: dict[tuple[Turns, Turns], tuple[int, int]] = {}
    for _ in range(count * _TRIES if usable else 0):
        place = usable[int(draws.integers(len(usable)))]
        turns = dialogues[place]
        other = tuple(turns[at] for at in draws.permutation(len(turns)))
        fits = answers is None or _answers(relevance, [other])[0] < answers[place]
        if other != turns and fits:
            found.setdefault((turns, other), (place, place))
        if len(found) == count:
            break
    return [(*pair, *places) for pair, places in found.items()]


def _answers(relevance: Any, dialogues: Sequence[Turns]) -> Floats:
    """How well the turns of each dialogue answer the ones before, (n,)."""
    return _means(dialogues, lambda one, other: relevance.score_pairs(one, other)[0], pairwise)


def rated_pairs(
    dialogues: Sequence[Sequence[str]],
    ratings: Mapping[str, Sequence[float]],
    *,
    groups: Sequence[str] | None = None,
    count: int = 500,
    seed: int = 0,
) -> DialoguePairs:
    """Pairs of dialogues that people rated: all two with different ratings, or so many of them.

    Raises an InputError if a head is unknown, the counts differ, a rating is no number, or all ratings of a head are
    equal.

    Parameters
    ----------
    dialogues : n sequences of str
    ratings : mapping of str to n numbers
        By the names of the heads; NaN for a dialogue that was not rated.
    groups, count, seed
        As for ``dialogue_pairs``.

    Examples
    --------
    >>> found = rated_pairs([["Hi."], ["Hi.", "Hello!"]], {"coherence": [1.0, 2.0]})
    >>> found.better, found.worse
    ((('Hi.', 'Hello!'),), (('Hi.',),))
    """
    own = [tuple(turns) for turns in dialogues]
    names = [*groups] if groups is not None else _numbered(len(own))
    draws, every = np.random.default_rng(seed), np.arange(len(own))
    found: list[DialoguePair] = []
    for head, given in ratings.items():
        try:
            values = np.asarray(given, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"train: the ratings of {head} are no numbers.") from None
        if values.shape != (len(own),) or len(names) != len(own) or np.isinf(values).any():
            raise InputError(
                f"train: the ratings of {head} are {shown(given)}; a finite number for each of "
                f"{number_of(len(own), 'dialogue')} is expected, with a group each if there are groups."
            )
        pairs = _drawn(every, every, -values, count, draws)
        if not pairs:
            raise InputError(f"train: no two dialogues have different ratings of {head}; there is nothing to order.")
        found += [DialoguePair(own[a], own[b], head, (names[a], names[b])) for a, b in pairs]
    if not found:
        raise InputError("train: there are no ratings.")
    return DialoguePairs(tuple(found), "ratings")


def read_dialogue_pairs(path: str | os.PathLike[str]) -> DialoguePairs:
    """Pairs from JSON Lines, in one of three forms.

    Dialogues alone: ``turns``, a list of texts or a text with a turn on each line; the pairs are those of
    ``dialogue_pairs``, by rules. Rated dialogues: also a number under each head, such as ``coherence``. Pairs that were
    made elsewhere, as with classifiers: ``better`` and ``worse``, two dialogues, and ``head``. Each line may have a
    ``group``. Raises an InputError if a line is not such an object, or is of another form than the first one. The
    message names the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "pairs.jsonl"
    >>> _ = file.write_text('{"better": ["Hi!", "Hello."], "worse": ["Hi!", "No."], "head": "likability"}')
    >>> found = read_dialogue_pairs(file)
    >>> found.better, found.heads
    ((('Hi!', 'Hello.'),), ('likability',))
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{os.fspath(path)}: the file is empty; give dialogues.")
    if "turns" not in records[0].fields:
        return _made_elsewhere(records)
    dialogues = [recorded_turns(each, "turns") for each in records]
    groups = [each.text("group") if "group" in each.fields else str(row) for row, each in enumerate(records, 1)]
    heads = [head for head in HEADS if head in records[0].fields]
    if not heads:
        return dialogue_pairs(dialogues, groups=groups)
    return rated_pairs(dialogues, {head: [_rating(each, head) for each in records] for head in heads}, groups=groups)


def _made_elsewhere(records: Sequence[JsonRecord]) -> DialoguePairs:
    found = []
    for record in records:
        head = record.text("head")
        if head not in HEADS:
            raise InputError(f"{record.where}: 'head' is {shown(head)}; {instead_of(head, HEADS)}")
        one, other = (tuple(recorded_turns(record, key)) for key in ("better", "worse"))
        # Without a group, the turns are one, so that the same turns in another order belong together.
        own = [record.text("group") if "group" in record.fields else repr(sorted(each)) for each in (one, other)]
        found.append(DialoguePair(one, other, head, (own[0], own[1])))
    return DialoguePairs(tuple(found), "pairs that were given")


def _rating(record: JsonRecord, head: str) -> float:
    value = record.fields.get(head)
    if (number := finite(value)) is None:
        raise InputError(f"{record.where}: {head!r} is {shown(value)}; a number is expected, as on the first line.")
    return number
