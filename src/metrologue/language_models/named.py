"""Language models in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.data.named import NamedValue
from metrologue.language_models.opening import open_model
from metrologue.language_models.pretrained import Loaded, is_loaded

if TYPE_CHECKING:
    from metrologue.language_models.base import LanguageModel

__all__ = ["NamedModel"]


@dataclass(frozen=True)
class NamedModel(NamedValue):
    """A language model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The model's name with a digest of its content, such as "news.arpa@06dcd770684d".
    model : LanguageModel
    """

    model: LanguageModel = field(compare=False, repr=False)

    noun: ClassVar[str] = "language model"
    expected: ClassVar[str] = "a language model, its file or folder, (model, tokenizer), or the name of one in use"
    plural: ClassVar[str] = "language models"
    opener: ClassVar[str] = "open_model(path)"

    @classmethod
    def opened(cls, path: str | os.PathLike[str] | Loaded, **options: Any) -> LanguageModel:
        """The model of a path, a name or (model, tokenizer). Raises an InputError if there is none."""
        return open_model(path, **options)

    @classmethod
    def _is_loaded(cls, value: Any) -> bool:
        return is_loaded(value)

    @classmethod
    def _is_one(cls, value: Any) -> bool:
        return callable(getattr(value, "score_texts", None))
