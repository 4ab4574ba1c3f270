"""Language models in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from metrologue.errors import InputError, is_name, shown

if TYPE_CHECKING:
    from metrologue.language_models.base import LanguageModel

__all__ = ["NamedModel"]


@dataclass(frozen=True)
class NamedModel:
    """A language model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The model's name with a digest of its content, such as "news.arpa@06dcd770684d".
    model : LanguageModel
    """

    name: str
    model: LanguageModel = field(compare=False, repr=False)

    # The models that are still in use. Several may be equal, and one of them may be dropped before the others.
    _held: ClassVar[WeakValueDictionary[int, NamedModel]] = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of(cls, model: Any) -> NamedModel:
        """The model with its own name.

        Raises
        ------
        TypeError
            If it is no language model.
        InputError
            If its name cannot be part of a signature.
        """
        if isinstance(model, cls):
            return model
        if isinstance(model, type) or not callable(getattr(model, "score_texts", None)):
            raise TypeError
        if not (isinstance(model.name, str) and is_name(model.name.replace("@", "", 1))):
            raise InputError(f"the language model's name is {shown(model.name)}, which cannot be part of a signature.")
        return cls(model.name, model)

    @classmethod
    def found(cls, spelled: str, path: str | None = None) -> NamedModel:
        """The model that a signature names: one that is in use, or the one in a file.

        Raises
        ------
        InputError
            If the model is not in use and no file is given, or the file holds another one.
        """
        if path is not None:
            from metrologue.language_models import open_model

            opened = cls.of(open_model(path))
            if opened.name != spelled:
                raise InputError(f"{path} holds the language model {opened}, not {spelled}.")
            return opened
        held = next((each for each in cls._held.values() if each.name == spelled), None)
        if held is None:
            raise InputError(f"the language model {shown(spelled)} is not in use here; open it with open_model(path).")
        return held
