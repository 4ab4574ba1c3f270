"""Architectures: the kinds of networks that a model's folder can hold, by the names that its file has for them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from metrologue.errors import InputError, instead_of, shown
from metrologue.files.forms import Form

__all__ = ["ARCHITECTURES", "Architecture", "architecture_of"]


class Architecture(Protocol):
    """A network that can be kept as plain numbers and made from them again.

    Attributes
    ----------
    architecture : str
        Its name in ``ARCHITECTURES``.
    reads_texts : bool
        Whether it reads the texts themselves, so that its model may have no features.
    settings_form : form
        The form of its settings, which is checked before it is made of a folder.
    file_names : tuple of str
        The names that its other files may have.
    settings : mapping of str to JSON values
        What its arrays do not say.
    shape : str
        Its widths in short, for the card.
    """

    architecture: ClassVar[str]
    reads_texts: ClassVar[bool]
    settings_form: ClassVar[Form]
    file_names: ClassVar[tuple[str, ...]]

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def shape(self) -> str: ...

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays by their names."""

    def files(self) -> Mapping[str, bytes]:
        """What else the folder holds, such as the files of a tokenizer, by their names."""

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        """The network of these parts; the settings have their form. Raises an InputError if the others do not fit."""


# The places of the classes; they are imported when a model is opened.
ARCHITECTURES: Mapping[str, str] = {
    "attentive-reader": "metrologue.scorers.apes.network:AttentiveReader",
    "adem": "metrologue.scorers.adem.network:BilinearNetwork",
    "compact_reward": "metrologue.scorers.compact_reward.network:Reward",
    "dialogue_heads": "metrologue.scorers.fined_eval.network:DialogueHeads",
    "esim": "metrologue.scorers.esim.network:EsimNetwork",
    "claims": "metrologue.scorers.factcc.network:ClaimNetwork",
    "layers": "metrologue.learned.network:Network",
    "pair_function": "metrologue.learned.pair_function:PairFunction",
    "pair_transformer": "metrologue.scorers.bleurt.network:PairTransformer",
    "perception": "metrologue.scorers.perception_score.network:Perception",
}


def architecture_of(name: str) -> type[Architecture]:
    """The class of an architecture.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> architecture_of("layers").__name__
    'Network'
    """
    if name not in ARCHITECTURES:
        raise InputError(f"open_model: the architecture {shown(name)} is unknown; {instead_of(name, ARCHITECTURES)}")
    module, _, kind = ARCHITECTURES[name].partition(":")
    found: type[Architecture] = getattr(importlib.import_module(module), kind)
    return found
