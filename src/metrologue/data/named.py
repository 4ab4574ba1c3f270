"""Values that the configuration of a scorer identifies by their names, such as encoders and trained models."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar
from weakref import WeakValueDictionary

from metrologue.errors import NOT_IN_NAMES, InputError, is_name, shown

F = TypeVar("F", bound=Callable[..., Any])


class NamedFunction(Generic[F]):
    """Any function in place of a model, under a name and a digest that stand for it in signatures.

    Parameters
    ----------
    name : str
    function : callable
    digest : str
        A text that identifies this version of the function.

    Attributes
    ----------
    name : str
        ``name@digest``.

    Raises
    ------
    InputError
        If the name or the digest cannot be part of a signature, or `function` is not callable.
    """

    def __init__(self, name: str, function: F, digest: str) -> None:
        owner = type(self).__name__
        for argument, given in (("name", name), ("digest", digest)):
            if not (isinstance(given, str) and is_name(given)):
                raise InputError(f"{owner}: `{argument}` {shown(given)} holds {NOT_IN_NAMES}, or nothing.")
        if not callable(function):
            raise InputError(f"{owner}: `function` is {shown(function)}; a callable is expected.")
        self.name = f"{name}@{digest[:12]}"
        self._function = function

    def _results(self, texts: Sequence[Any], what: str) -> Sequence[Any]:
        """One result of the function for each text; `what` names them in a message, with {} for their number."""
        results: Sequence[Any] = self._function(texts)
        if len(results) != len(texts):
            raise InputError(f"{self.name}: {len(texts)} texts went in, but {what.format(len(results))} came back.")
        return results


@dataclass(frozen=True)
class NamedValue:
    """A value with its name. Two of a kind with the same name are equal. A signature has the name.

    A kind is a subclass with one more field, the value itself. The package that makes such values declares it, so a
    scorer knows nothing of the kinds that it has no field for.

    Attributes
    ----------
    name : str
        The value's name with a digest of its content.
    noun : str
        What such a value is called in messages.
    expected, plural : str
        What a field of this kind takes, in words: one, and several.
    opener : str
        The call that makes one of a path.
    opened : callable
        Makes a value of a path, a name or a loaded model. Raises an InputError if there is none.
    methods : tuple of str
        Such a value has one of these methods.
    """

    name: str

    noun: ClassVar[str]
    expected: ClassVar[str]
    plural: ClassVar[str]
    opener: ClassVar[str]
    opened: ClassVar[Callable[..., Any]]
    methods: ClassVar[tuple[str, ...]] = ()

    # The values that are still in use. Several may be equal, and one of them may be dropped before the others.
    _held: ClassVar[WeakValueDictionary[int, Any]]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls._held = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: Any) -> Self:
        return self  # a value is never changed

    @classmethod
    def of(cls, value: Any) -> Self:
        """The value with its own name; a path, a name or a loaded model is opened, or one in use is taken by its name.

        Raises
        ------
        TypeError
            If it is no such value.
        InputError
            If nothing can be opened there, or its name cannot be part of a signature.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str | os.PathLike):
            path = str.__str__(value) if isinstance(value, str) else os.fsdecode(value)
            return cls._in_use(path) or cls.of(cls.opened(path))
        if not isinstance(value, type) and not cls._is_one(value) and cls._is_loaded(value):
            value = cls.opened(value)
        if isinstance(value, type) or not cls._is_one(value):
            raise TypeError
        if not (isinstance(value.name, str) and is_name(value.name.replace("@", "", 1))):
            raise InputError(f"the {cls.noun}'s name is {shown(value.name)}, which cannot be part of a signature.")
        return cls(value.name, value)  # type: ignore[call-arg]  # the field that a subclass adds

    @staticmethod
    def _is_loaded(value: Any) -> bool:
        """Whether this is a loaded model, which such a value can be made of."""
        return False

    @classmethod
    def _is_one(cls, value: Any) -> bool:
        return any(callable(getattr(value, name, None)) for name in cls.methods)

    @classmethod
    def _in_use(cls, spelled: str) -> Self | None:
        return next((each for each in [*cls._held.values()] if each.name == spelled), None)

    @classmethod
    def found(cls, spelled: str, path: str | None = None) -> Self:
        """The value that a signature names: one that is in use, or the one at a path.

        Raises
        ------
        InputError
            If the value is not in use and no path is given, or another one stands there.
        """
        if path is not None:
            opened = cls._in_use(path) or cls.of(cls.opened(path))
            if opened.name != spelled:
                raise InputError(f"{path} holds the {cls.noun} {opened}, not {spelled}.")
            return opened
        held = cls._in_use(spelled)
        if held is None:
            raise InputError(f"the {cls.noun} {shown(spelled)} is not in use here; open it with {cls.opener}.")
        return held
