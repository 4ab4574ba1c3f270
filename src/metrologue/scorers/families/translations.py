"""Ratings of translations by released networks: what they read, how they run, and what their scores warn of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import TrainedPairScorer, model_option
from metrologue.scorers.core.options import option
from metrologue.scorers.families.unknown import unknown_hints
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel
    from metrologue.learned.translation import Rated

__all__ = ["TranslationRating"]

_INPUTS: Mapping[str, str] = {"mt": "predictions", "src": "sources", "ref": "references"}


@dataclass(frozen=True, kw_only=True)
class TranslationRating(TrainedPairScorer):
    """A metric whose number a released network gives to a translation, with its source, a reference or both."""

    about: ClassVar = replace(
        TrainedPairScorer.about,
        needs="a released checkpoint",
        running={
            "batch_size": ("batch", {}),
            "dtype": ("precision", {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}),
        },
    )  # fmt: skip
    _program: ClassVar[str] = "the authors' program"  # which cuts long texts without a word

    model: NamedTrained | None = model_option()
    # fmt: off
    precision: str = option(
        "fp32", stage="read", choice="precision",
        about="How exactly the network computes.",
        one_of={
            "fp32": "in 32 bits",
            "bf16": "in the 16 bits of bfloat16: it takes half the memory",
            "fp16": "in 16 bits, as on GPUs: it takes half the memory",
        },
    )
    batch: int = option(
        16, stage="read", choice="padding", least=1, greatest=1 << 20,
        about="How many texts of about the same length go through the network at once. It changes the last bits.",
    )
    longest: int | None = option(
        None, stage="read", choice="long texts", least=3, greatest=1 << 20,
        about="The tokens of a text, with those that the tokenizer adds. None: as many as the network reads.",
    )
    too_long: str = option(
        "cut", stage="read", choice="long texts",
        about="What happens to a text that has more tokens, or to texts that do not fit together where they are read "
        "as one.",
        one_of={"cut": "its end is left out, and a warning counts such texts", "error": "it is refused"},
    )
    # fmt: on

    @property
    def _trained(self) -> TrainedModel:
        """The model. Raises an InputError that says where one is if there is none."""
        if self.model is None:
            raise InputError(f"{self._label}: `model` is missing; {self._authors}")
        return self.model.trained

    @property
    def _network(self) -> Any:
        """The network of the model, or the function in its place."""
        raise NotImplementedError

    @property
    def _run(self) -> Any:
        """How texts go through the network: its values are the key under which scores are remembered."""
        raise NotImplementedError

    @property
    def _reads(self) -> tuple[str, ...]:
        """The texts that are read if they are given: "mt", "src", "ref"."""
        inputs: tuple[str, ...] = self._network.inputs
        return inputs

    def _read(self, segments: Segments, name: str) -> bool:
        """Whether these texts are given, and read."""
        return name in self._reads and segments.has(_INPUTS[name])

    def _compared(self, segments: Segments) -> Segments:
        """The segments; if no references are read, each with itself as its only one."""
        if self._read(segments, "ref"):
            return segments
        columns = {name: segments.columns[name] for name in ("predictions", "sources") if segments.has(name)}
        return segments.memoize(
            ("without references",),
            lambda: Segments.of_columns({**columns, "references": segments.columns["predictions"]}),
        )

    def _ratings(self, segments: Segments) -> Rated:
        """What the network gives each pair."""
        key = ("ratings", self.model, self._run)
        rated: Rated = segments.memoize(key, lambda: self._rated(segments))
        return rated

    def _rated(self, segments: Segments) -> Rated:
        rated: Rated = self._network.score(self._texts_of_pairs(segments), self._run)
        return rated

    def _texts_of_pairs(self, segments: Segments) -> dict[str, list[str]]:
        """The texts of each pair, by the names of the networks."""
        compared = self._compared(segments)
        rows = np.repeat(np.arange(len(segments)), np.diff(compared.reference_offsets)).tolist()
        columns = {}
        for name in ("mt", "src"):
            if self._read(compared, name):
                own = compared.texts(_INPUTS[name]).to_pylist()
                columns[name] = [own[row] for row in rows]
        if self._read(segments, "ref"):
            columns["ref"] = compared.texts("references").to_pylist()
        return columns

    def _pair_statistics(self, segments: Segments) -> Floats:
        scores, left_out, _ = self._ratings(segments)
        if self.too_long == "error":
            beside = {"src": "its source", "ref": "its reference"}
            read = [told for name, told in beside.items() if self._read(segments, name)]
            others = f", {' or '.join(read)}" if len(read) > 1 else "".join(f" or {each}" for each in read)
            self._refuse_long_pairs(segments, left_out, f"{others} is")
        return np.column_stack([scores, np.ones(len(scores))])

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return []
        hints = [f"{self._label}: {remark}." for remark in self._remarks()]
        for name, input_name in _INPUTS.items():
            if segments.has(input_name) and name not in self._reads:
                hints.append(f"{self._label}: {self._reader} reads no {input_name}; they play no part.")
        columns = [segments.texts(name).to_pylist() for name in segments.columns]
        hints += unknown_hints(self._label, self._network, [text for each in columns for text in each], segments)
        if long := self._long(segments):
            have = "has" if long == 1 else "have"
            hints.append(
                f"{self._label}: {number_of(long, 'segment')} {have} a text that is longer than the model's context; "
                f"its end was left out, as {self._program} does without a word."
            )
        return hints

    @property
    def _reader(self) -> str:
        """What reads some texts and not others, for a warning."""
        return str(self.model)

    def _remarks(self) -> tuple[str, ...]:
        """What a score warns of, whatever the texts are."""
        remarks: tuple[str, ...] = getattr(self._trained, "remarks", ())
        return remarks

    def _long(self, segments: Segments) -> int:
        """How many segments have a text that is cut; of a matrix, whose pairs are others, how many texts are."""
        needed = [_INPUTS[name] for name in self._reads if name != "ref" or self._read(segments, "ref")]
        in_rows = all(map(segments.has, needed)) and bool(np.diff(self._compared(segments).reference_offsets).all())
        if in_rows:
            return int((self._ratings(segments).left_out > 0).sum())
        if not hasattr(self._network, "tokens"):
            return 0
        texts = [text for name in segments.columns for text in segments.texts(name).to_pylist()]
        return int((self._network.tokens([*dict.fromkeys(texts)], self._run)[1] > 0).sum())
