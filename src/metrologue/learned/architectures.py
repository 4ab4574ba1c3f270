"""Architectures: the kinds of networks that a model's folder can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.errors import InputError
from metrologue.files.forms import Form, record


class Architecture:
    """A network that is kept as plain numbers and made from them again.

    Attributes
    ----------
    architecture : str
        The name that a model's file has for it.
    reads_texts : bool
        Whether it reads the texts themselves, so that its model may have no features.
    settings_form : form
        The form of its settings, which is checked before it is made of a folder.
    file_names : tuple of str
        The names that its other files may have.
    """

    architecture: ClassVar[str]
    reads_texts: ClassVar[bool] = False
    settings_form: ClassVar[Form] = record({})
    file_names: ClassVar[tuple[str, ...]] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """What its arrays do not say, as JSON values."""
        return {}

    @property
    def shape(self) -> str:
        """Its widths in short, for the card."""
        raise NotImplementedError

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays by their names."""
        raise NotImplementedError

    def files(self) -> Mapping[str, bytes]:
        """What else the folder holds, such as the files of a tokenizer, by their names."""
        return {}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        """The network of these parts; the settings have their form. Raises an InputError if the others do not fit."""
        raise NotImplementedError

    def run_with(self, **options: Any) -> Self:
        """The network with another `batch_size`, `device` or `dtype`.

        Raises an InputError if it runs on NumPy, or there is no such option.
        """
        known = {each.name for each in fields(self)} & {"batch_size", "device", "dtype"}  # type: ignore[arg-type]
        for name in options:
            if name not in known:
                raise InputError(
                    f"open_model: the architecture {self.architecture} has no `{name}`; an encoder is opened with it, "
                    "as in open_encoder(path, device='cpu')."
                )
        return replace(self, **options)  # type: ignore[type-var]  # every architecture is a dataclass


@dataclass(frozen=True, eq=False)
class ArrayNetwork(Architecture):
    """A network of named arrays. The other fields of a subclass are its settings.

    Attributes
    ----------
    arrays : mapping of str to array
    numbers : type, optional
        The type that arrays of a folder get. By default they stay as they are.
    """

    arrays: Mapping[str, np.ndarray]

    numbers: ClassVar[type | None] = None

    @property
    def settings(self) -> Mapping[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "arrays"}

    def tensors(self) -> dict[str, np.ndarray]:
        return dict(self.arrays)

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        arrays = {name: np.asarray(each, cls.numbers) for name, each in tensors.items()}
        return cls(arrays, **{name: tuple(own) if isinstance(own, list) else own for name, own in settings.items()})
