"""FED: how probable a language model finds what people say after a good or a bad turn (Mehri and Eskenazi 2020)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.language_models.named import NamedModel, continuation_sums
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.dialogues import OfDialogues
from metrologue.scorers.fed.follow_ups import DIALOGUE, QUALITIES, TURN, FollowUps
from metrologue.segments import Segments

__all__ = ["Fed", "quality"]

_AT_ONCE = 32  # conversations whose texts are made at once
# What stands before a conversation, and what ends a turn.
_SEPARATORS = {"end-of-text": (" ", " <|endoftext|>", " "), "newline": ("", "\n", "")}


def quality(good: Floats, bad: Floats) -> Floats:
    """How much more probable the good follow-ups are than the bad ones; a side without follow-ups counts as 0.

    Parameters
    ----------
    good, bad : float64 (..., g) and (..., b)
        The log-probabilities of the follow-ups.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> quality(np.array([-1.0, -2.0]), np.array([-4.0])), quality(np.zeros(0), np.array([-4.0]))
    (np.float64(2.5), np.float64(4.0))
    """

    means: list[Floats] = [logs.sum(axis=-1) / max(logs.shape[-1], 1) for logs in (good, bad)]
    return means[0] - means[1]


def _numbers(level: str, qualities: Mapping[str, FollowUps]) -> tuple[Any, ...]:
    """The numbers of the qualities of a level."""
    return tuple(
        number(
            name, -math.inf if own.good else 0, math.inf, better="higher", when={"level": (level, "both")},
            about=f"how much more probable the good follow-ups are than the bad ones: {name.replace('_', ' ')}",
        )
        for name, own in qualities.items()
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Fed(OfDialogues):
    """How well a conversation goes, by the next utterance that a language model expects; higher is better.

    After a boring turn people say "That's really boring." rather than "Tell me more!". For each of 18 qualities, the
    authors wrote such utterances, good ones and bad ones. The score of a quality is the log-probability of the good
    ones after the conversation, less that of the bad ones. Eight qualities are those of the last turn, and ten those of
    the whole dialogue; `level` chooses. Half of them have bad utterances only. ``fed`` is the mean of the qualities of
    the level; the authors' program does not have it. The score of a corpus, such as all dialogues of a system, is the
    mean of its segments.

    A prediction is a response, and `contexts` has the turns before it; or a prediction is a whole dialogue. A list of
    texts is a list of turns, and the lines of a text are its turns. A conversation of one turn has a score too, of
    that turn alone, and a warning counts such conversations.

    The authors' model is DialoGPT, which reads " <|endoftext|> " between turns. Any causal language model will do.

    Raises
    ------
    InputError
        If there is no `model`, a conversation is too long for it, or it gives a token no probability above 0.

    References
    ----------
    Mehri and Eskenazi 2020, https://aclanthology.org/2020.sigdial-1.28; the program at https://github.com/Shikib/fed.

    Examples
    --------
    A model that expects each word again that was said:

    >>> from metrologue.language_models import FunctionModel
    >>> def words(text):
    ...     said = text.lower().split()
    ...     return [(word, -1.0 if word in said[:at] else -5.0) for at, word in enumerate(said)]
    >>> again = FunctionModel("again", lambda texts: [words(text) for text in texts], "1")
    >>> fed = Fed.variant("paper", model=again, separator="newline")
    >>> fed.segments(["Really? Tell me more!", "That's pretty boring."], contexts=["I sold a cat."] * 2, key="engaging")
    array([19., -1.])

    With a model of transformers, from a folder or from the Hub:

    >>> Fed(model="microsoft/DialoGPT-large").corpus(["Not much."], contexts=[["Hi!", "What's up?"]])  # doctest: +SKIP
    """

    name: ClassVar[str] = "fed"
    about: ClassVar = replace(
        OfDialogues.about,
        one_call=True,
        papers=("mehri-eskenazi-2020-unsupervised",),
        tolerance=1e-5,
    )

    # fmt: off
    model: NamedModel | None = option(
        None, stage="read", choice="model", kind="model",
        about="The causal language model, its path, a loaded ``(model, tokenizer)``, or the name of one in use, as a "
        "signature has it. There is no score without one.",
    )
    separator: str = option(
        "end-of-text", stage="read", choice="separator",
        about="What stands between two turns.",
        one_of={
            "end-of-text": "DialoGPT's \" <|endoftext|> \", with a space before the first turn, as in the program",
            "newline": "the end of a line",
        },
    )
    last_turns: int | None = option(
        None, stage="read", choice="length", least=1,
        about="How many of the last turns of a conversation the model reads. None: all of them.",
    )
    level: str = option(
        "both", stage="pairs", choice="level",
        about="The qualities that are reported.",
        one_of={"turn": "the eight of a turn", "dialogue": "the ten of a dialogue", "both": "all 18"},
    )
    likelihood: str = option(
        "conversation", stage="pairs", choice="likelihood",
        about="What the log-probability of a follow-up is.",
        one_of={
            "conversation": "the mean over all tokens of the conversation and the follow-up, as in the program",
            "follow-up": "the mean over the tokens of the follow-up",
            "sum": "the sum over the tokens of the follow-up",
        },
    )
    join: str = option(
        "mean", stage="join", choice="join",
        about="How several follow-ups of one side are joined.",
        one_of={"mean": "by their mean", "sum": "by their sum"},
    )
    # fmt: on
    aggregation: str = of_means()
    scale: float = with_default(1.0, about="A factor of the scores.")

    numbers: ClassVar = (
        number(
            "fed", -math.inf, math.inf, better="higher", title="FED",
            about="mean of the qualities that are reported",
        ),
        *_numbers("turn", TURN),
        *_numbers("dialogue", DIALOGUE),
        counted("segments", "conversations", about="conversations, of whose scores this is the mean"),
    )  # fmt: skip

    @property
    def _qualities(self) -> Mapping[str, FollowUps]:
        return QUALITIES[self.level]

    @property
    def _columns(self) -> tuple[str, ...]:
        return (*(f"{name}_sum" for name in self._qualities), "segments")

    def _statistics(self, segments: Segments) -> Floats:
        """The score of each quality, and a 1."""
        conversations = self._conversations(segments)
        parts = [
            self._of_part(conversations[first : first + _AT_ONCE], segments.first + first)
            for first in range(0, len(conversations), _AT_ONCE)
        ]
        return np.vstack([np.zeros((0, len(self._columns))), *parts])

    def _of_part(self, conversations: list[list[str]], first: int) -> Floats:
        """The rows of some conversations, the first of which has this index."""
        if self.model is None:
            raise self._refuse_missing("give a folder with a causal model of transformers, or its name on the Hub.")
        every = list(dict.fromkeys(text for each in self._qualities.values() for side in each for text in side))
        before, after, between = _SEPARATORS[self.separator]
        kept = [turns[-self.last_turns :] if self.last_turns else turns for turns in conversations]
        spoken = [before + (after + between).join(turns) + after for turns in kept]
        texts = [each + between + text for each in spoken for text in every]
        befores = ["" if self.likelihood == "conversation" else each for each in spoken for _ in every]
        places = [("predictions", first + row) for row in range(len(spoken)) for _ in every]
        sums = continuation_sums(self.model, texts, befores, self._label, places) * (math.log(self.model.model.base), 1)
        if not sums[:, 1].all():
            raise InputError(f"{self._label}: {self.model} cuts a follow-up into no tokens of its own.")
        logs = sums[:, 0] if self.likelihood == "sum" else sums[:, 0] / sums[:, 1]
        return np.column_stack([*self._joined(logs.reshape(len(spoken), -1), every), np.ones(len(spoken))])

    def _joined(self, logs: Floats, every: list[str]) -> list[Floats]:
        """The score of each quality from the log-probabilities of `every` follow-up, (conversations, follow-ups)."""
        scores = []
        for each in self._qualities.values():
            good, bad = (logs[:, [every.index(text) for text in side]] for side in each)
            scores.append(good.sum(axis=1) - bad.sum(axis=1) if self.join == "sum" else quality(good, bad))
        return scores

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., -1]
        means = self.scale * statistics[..., :-1] / np.maximum(segments, 1.0)[..., None]
        own = {name: means[..., place] for place, name in enumerate(self._qualities)}
        return {"fed": means.mean(axis=-1), **own, "segments": segments}

    _variants: ClassVar = {
        "authors": Variant("fed", "the authors' program; its model is DialoGPT-large"),
        "paper": Variant(
            "fed", "the formula: sums of the log-probabilities of the follow-ups", {"likelihood": "sum", "join": "sum"}
        ),
    }
