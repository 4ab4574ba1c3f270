"""Trained models in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from metrologue.errors import InputError, shown

if TYPE_CHECKING:
    from metrologue.learned.store import TrainedModel

__all__ = ["NamedTrained"]


@dataclass(frozen=True)
class NamedTrained:
    """A trained model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The metric that the model was trained for, with a digest of its features and weights, such as
        "ruse@06dcd770684d".
    trained : TrainedModel
    """

    name: str
    trained: TrainedModel = field(compare=False, repr=False)

    # The models that are still in use. Several may be equal, and one of them may be dropped before the others.
    _held: ClassVar[WeakValueDictionary[int, NamedTrained]] = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: Any) -> NamedTrained:
        return self  # a model is never changed

    @classmethod
    def of(cls, model: Any) -> NamedTrained:
        """The model with its own name; a folder is opened, or one in use is taken.

        Raises
        ------
        TypeError
            If it is no trained model.
        InputError
            If the folder holds none.
        """
        if isinstance(model, cls):
            return model
        if isinstance(model, str | os.PathLike):
            from metrologue.learned.store import open_model

            path = str.__str__(model) if isinstance(model, str) else os.fsdecode(model)
            return cls._in_use(path) or cls.of(open_model(path))
        if not hasattr(model, "features") or not hasattr(model, "network"):
            raise TypeError
        return cls(model.name, model)

    @classmethod
    def _in_use(cls, spelled: str) -> NamedTrained | None:
        return next((each for each in cls._held.values() if each.name == spelled), None)

    @classmethod
    def found(cls, spelled: str, path: str | None = None) -> NamedTrained:
        """The model that a signature names: one that is in use, or the one in a folder.

        Raises
        ------
        InputError
            If the model is not in use and no folder is given, or another one stands there.
        """
        if path is not None:
            opened = cls.of(path)
            if opened.name != spelled:
                raise InputError(f"{path} holds the model {opened}, not {spelled}.")
            return opened
        held = cls._in_use(spelled)
        if held is None:
            raise InputError(f"the model {shown(spelled)} is not in use here; open it with open_model(folder).")
        return held
