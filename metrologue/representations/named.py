"""Encoders in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from metrologue.errors import InputError, is_name, shown

if TYPE_CHECKING:
    from metrologue.representations.base import Encoder

__all__ = ["NamedEncoder"]

_METHODS = "encode_tokens", "encode_texts", "score_pairs", "judge_pairs"


@dataclass(frozen=True)
class NamedEncoder:
    """An encoder with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The encoder's name with a digest of its content, such as "minilm@06dcd770684d".
    encoder : Encoder
    """

    name: str
    encoder: Encoder = field(compare=False, repr=False)

    # The encoders that are still in use. Several may be equal, and one of them may be dropped before the others.
    _held: ClassVar[WeakValueDictionary[int, NamedEncoder]] = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: Any) -> NamedEncoder:
        return self  # a model is never changed

    @classmethod
    def of(cls, encoder: Any) -> NamedEncoder:
        """The encoder with its own name; a path or a name of the Hub is opened, or one in use is taken.

        Raises
        ------
        TypeError
            If it is no encoder.
        InputError
            If there is no such encoder, or its name cannot be part of a signature.
        """
        if isinstance(encoder, cls):
            return encoder
        if isinstance(encoder, str | os.PathLike):
            from metrologue.representations.opening import open_encoder

            path = str.__str__(encoder) if isinstance(encoder, str) else os.fsdecode(encoder)
            return cls._in_use(path) or cls.of(open_encoder(path))
        if isinstance(encoder, type) or not any(callable(getattr(encoder, name, None)) for name in _METHODS):
            raise TypeError
        if not (isinstance(encoder.name, str) and is_name(encoder.name.replace("@", "", 1))):
            raise InputError(f"the encoder's name is {shown(encoder.name)}, which cannot be part of a signature.")
        return cls(encoder.name, encoder)

    @classmethod
    def _in_use(cls, spelled: str) -> NamedEncoder | None:
        return next((each for each in cls._held.values() if each.name == spelled), None)

    @classmethod
    def found(cls, spelled: str, path: str | None = None) -> NamedEncoder:
        """The encoder that a signature names: one that is in use, or the one at a path.

        Raises
        ------
        InputError
            If the encoder is not in use and no path is given, or another one stands there.
        """
        if path is not None:
            opened = cls.of(path)
            if opened.name != spelled:
                raise InputError(f"{path} holds the encoder {opened}, not {spelled}.")
            return opened
        held = cls._in_use(spelled)
        if held is None:
            raise InputError(f"the encoder {shown(spelled)} is not in use here; open it with open_encoder(path).")
        return held
