"""What a metric says of itself beside its options and numbers: one record for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["About", "Growth"]


class Growth(NamedTuple):
    """The time for a prediction and a text beside it, as a power of the length of the longer one.

    Metrics have it whose time grows faster than the texts.

    Attributes
    ----------
    unit : str
        "words" or "characters", of which a length is the number.
    power : int
    longest : int
        Texts of this length take some seconds at worst.
    most : int, optional
        The same for the number of texts that are compared with each other, where their time or memory grows with its
        square: those of a segment. None: it does not.
    """

    unit: str
    power: int
    longest: int
    most: int | None = None


@dataclass(frozen=True, kw_only=True)
class About:
    """What is true of a metric whatever its options are. A subclass says its differences by ``dataclasses.replace``.

    Attributes
    ----------
    papers : tuple of str
        What to cite: keys of papers.bib.
    needs : str
        What it has no score without, in words, if that does not follow from its fields.
    optional_model : bool
        Whether it has a score without the model or vectors that it takes.
    running : mapping of str to tuple
        Fields that `batch_size` or `dtype` stand for, each with its value for each of theirs, if they differ.
    research : str
        Of a paper's metric that is made anew here, with no released model read: what ours reached, beside its rival.
    growth : Growth, optional
        How the time for a segment grows, if faster than its texts.
    tolerance : float
        By how much a score may depend on what else is scored in the same call.
    by_index : bool
        Whether the score of a segment depends on its index.
    one_call : bool
        Whether `_statistics` takes all segments at once: a model has threads of its own.
    two_texts : bool
        Whether the score of a segment is one of a text and a reference.
    whole_trace : bool
        Whether a trace shows all segments.
    advised_by : str
        Who gives the advice of `_for_language`; "": whoever chose the tokenizer.
    printed_means : mapping of str to tuple of str
        The means of several numbers that people print as the metric's number: the numbers of each, by its name.
    """

    papers: tuple[str, ...] = ()
    needs: str = ""
    optional_model: bool = False
    running: Mapping[str, tuple[str, Mapping[Any, Any]]] = field(default_factory=dict)
    research: str = ""
    growth: Growth | None = None
    tolerance: float = 0.0
    by_index: bool = False
    one_call: bool = False
    two_texts: bool = True
    whole_trace: bool = False
    advised_by: str = ""
    printed_means: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
