"""Encoders in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.data.named import NamedValue
from metrologue.language_models.pretrained import is_loaded
from metrologue.representations.opening import open_encoder

if TYPE_CHECKING:
    from metrologue.representations.base import Encoder

__all__ = ["NamedEncoder"]

_METHODS = "encode_tokens", "encode_texts", "score_pairs", "judge_pairs"


@dataclass(frozen=True)
class NamedEncoder(NamedValue):
    """An encoder with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The encoder's name with a digest of its content, such as "minilm@06dcd770684d".
    encoder : Encoder
    """

    encoder: Encoder = field(compare=False, repr=False)

    noun: ClassVar[str] = "encoder"
    expected: ClassVar[str] = (
        "an encoder, its folder, (model, tokenizer), a SentenceTransformer, or the name of one in use"
    )
    plural: ClassVar[str] = "encoders"
    opener: ClassVar[str] = "open_encoder(path)"

    @classmethod
    def opened(cls, path: Any, **options: Any) -> Encoder:
        """The encoder of a path, a name of the Hub or a loaded model. Raises an InputError if there is none."""
        return open_encoder(path, **options)

    @classmethod
    def _is_loaded(cls, value: Any) -> bool:
        return is_loaded(value)

    @classmethod
    def _is_one(cls, value: Any) -> bool:
        return any(callable(getattr(value, name, None)) for name in _METHODS)
