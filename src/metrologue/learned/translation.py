"""What released networks that rate translations share: how they run, their models, and functions in their place."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.language_models.pretrained import one_at_a_time, unknown_tokens
from metrologue.learned.architectures import Architecture
from metrologue.learned.pair_function import PairFunction
from metrologue.learned.trained_model import TrainedModel

__all__ = [
    "PRECISIONS", "TEXTS", "Columns", "Counts", "Rated", "RatedFunction", "RatingModel", "RatingNetwork", "Run",
    "label_of",
]  # fmt: skip

Counts = NDArray[np.int64]
Columns = Mapping[str, Sequence[str]]

# A translation, its source and a reference, by the names that networks have for them.
TEXTS = ("mt", "src", "ref")
# What torch calls the precisions.
PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


class Rated(NamedTuple):
    """What a network gives rows of texts.

    Attributes
    ----------
    scores : float64 (n,)
    left_out : int64 (n,)
        How many tokens of the texts of each row were left out.
    details : sequence of n, optional
        What it says of each row beside its score.
    """

    scores: Floats
    left_out: Counts
    details: Sequence[Any] | None = None


@dataclass(frozen=True)
class Run:
    """How texts go through a network; the fields of the scorer have the same names, and say what they mean."""

    precision: str = "fp32"
    batch: int = 16
    longest: int | None = None

    def __str__(self) -> str:
        return f"{self.precision}+{self.batch}+{self.longest or 'all'}"


@dataclass(frozen=True, eq=False)
class RatingNetwork(Architecture):
    """A network of torch with its tokenizer that rates translations.

    Attributes
    ----------
    modules : torch.nn.Module
    tokenizer : tokenizer of `transformers`
    device : torch.device
    owner : str
        The metric, for messages.
    """

    modules: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    device: Any

    reads_texts: ClassVar[bool] = True
    owner: ClassVar[str]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The texts that it reads, of ``TEXTS``."""
        raise NotImplementedError

    @property
    def digest(self) -> str:
        """The SHA-256 of the weights, the settings and the tokenizer."""
        raise NotImplementedError

    def rate(self, columns: Columns, run: Any) -> Rated:
        """What the network gives rows that are all distinct."""
        raise NotImplementedError

    def score(self, texts: Columns, run: Any) -> Rated:
        """What the network gives each row. Each distinct row is rated once.

        Raises an InputError if a number is not finite.
        """
        names = [name for name in self.inputs if name in texts]
        rows = [*zip(*(texts[name] for name in names), strict=True)]
        distinct = {row: place for place, row in enumerate(dict.fromkeys(rows))}
        columns = dict(zip(names, map(list, zip(*distinct, strict=True)), strict=True))
        values, left_out, details = self.rate(columns, run)
        if not np.isfinite(values).all():
            bad = columns["mt"][int(np.flatnonzero(~np.isfinite(values))[0])]
            raise InputError(
                f"{self.owner}: the model gives a number that is not finite for {shown(bad)}; give "
                'precision="fp32", or a sound checkpoint.'
            )
        places = np.array([distinct[row] for row in rows], np.int64)
        of_rows = None if details is None else [details[place] for place in places]
        return Rated(values[places], left_out[places], of_rows)

    def unknown(self, texts: Sequence[str]) -> tuple[int, int]:
        """How many tokens of the texts are unknown to the tokenizer, and how many there are."""
        with one_at_a_time:
            return unknown_tokens(self.tokenizer, texts)

    def most(self, run: Any) -> int | None:
        """The tokens of one text, with those that the tokenizer adds, at most; None for any number."""
        raise NotImplementedError

    def tokens(self, texts: Sequence[str], run: Any) -> tuple[list[list[int]], Counts]:
        """The ids of each text with the tokens that the tokenizer adds, and how many of them were left out."""
        if not len(texts):
            return [], np.zeros(0, np.int64)
        most, options = self.most(run), {"return_attention_mask": False, "return_token_type_ids": False}
        with one_at_a_time:
            ids = self.tokenizer([*texts], verbose=False, **options)["input_ids"]
            lengths = np.array([len(each) for each in ids], np.int64)
            if most is None or lengths.max() <= most:
                return ids, np.zeros(len(ids), np.int64)
            ids = self.tokenizer([*texts], truncation=True, max_length=most, verbose=False, **options)["input_ids"]
        return ids, np.maximum(lengths - most, 0)

    def in_precision(self, precision: str) -> Any:
        """The modules with weights of this type, such as "bf16", converted once; of "stored", as they are."""
        import torch

        if precision not in PRECISIONS:
            return self.modules
        wanted = getattr(torch, PRECISIONS[precision])
        if next(self.modules.parameters()).dtype == wanted:
            return self.modules
        if wanted not in self._converted:
            self._converted[wanted] = copy.deepcopy(self.modules).to(wanted)
        return self._converted[wanted]

    @cached_property
    def _converted(self) -> dict[Any, Any]:
        return {}


@dataclass(frozen=True, eq=False)
class RatedFunction(PairFunction):
    """A function from texts, sources and references to a number for each, in place of a checkpoint.

    Attributes
    ----------
    name, version : str
        What identifies the function; two with the same name and version are taken for one.
    function : callable
        Takes three lists of texts, and gives as many finite numbers. A list that is not given is one of empty texts.

    Examples
    --------
    >>> def common(texts, sources, references):
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in zip(texts, references, strict=True)]
    >>> RatedFunction("common words", "1", common).model("comet").metric
    'comet'
    """

    function: Callable[..., Sequence[float]] = field(repr=False)  # of three lists

    architecture: ClassVar[str] = "rated_function"
    inputs: ClassVar[tuple[str, ...]] = TEXTS
    needs_references: ClassVar[bool] = True

    def score(self, texts: Columns, run: Any) -> Rated:
        """What the function gives each row, float64 (n,); no tokens are left out."""
        return Rated(*self._scored(*(texts.get(name, [""] * len(texts["mt"])) for name in TEXTS)))


@dataclass(frozen=True, eq=False)
class RatingModel(TrainedModel):
    """A released checkpoint as the model of a scorer.

    Attributes
    ----------
    label : str
        The name of its folder.
    remarks : tuple of str
        What a score warns of.
    """

    label: str = "model"
    remarks: tuple[str, ...] = ()

    @cached_property
    def name(self) -> str:
        """The folder's name with a digest of the weights."""
        network: Any = self.network
        return f"{self.label}@{network.digest[:12]}"


def label_of(place: Path) -> str:
    """The name of a folder; in the Hub's cache, that of the model."""
    real = place.resolve()
    return real.parent.parent.name.rpartition("--")[2] if real.parent.name == "snapshots" else real.name
