"""Representations: the vectors of tokens and of texts, by whatever encoder gives them.

It may import language_models and what stands below them.
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.representations.base import Encoder, FunctionEncoder, TokenVectors
    from metrologue.representations.named import NamedEncoder, open_encoder
    from metrologue.representations.pairs import (
        CrossEncoder,
        EmotionModel,
        EntailmentModel,
        FunctionEmotions,
        FunctionEntailment,
    )
    from metrologue.representations.sequences import (
        FunctionSequence,
        NamedSequence,
        Seq2SeqModel,
        SequenceModel,
        open_sequence,
    )
    from metrologue.representations.store import VectorStore, vector_store
    from metrologue.representations.transformer import TransformerEncoder
    from metrologue.representations.word_vectors import WordVectors

# fmt: off
__all__ = [
    "CrossEncoder", "EmotionModel", "Encoder", "EntailmentModel", "FunctionEmotions", "FunctionEncoder",
    "FunctionEntailment", "FunctionSequence", "NamedEncoder", "NamedSequence", "Seq2SeqModel", "SequenceModel",
    "TokenVectors", "TransformerEncoder", "VectorStore", "WordVectors", "open_encoder", "open_sequence",
    "vector_store",
]
_HOMES = {
    "base": ("Encoder", "FunctionEncoder", "TokenVectors"),
    "named": ("NamedEncoder", "open_encoder"),
    "pairs": ("CrossEncoder", "EmotionModel", "EntailmentModel", "FunctionEmotions", "FunctionEntailment"),
    "sequences": ("FunctionSequence", "NamedSequence", "Seq2SeqModel", "SequenceModel", "open_sequence"),
    "store": ("VectorStore", "vector_store"),
    "transformer": ("TransformerEncoder",),
    "word_vectors": ("WordVectors",),
}
# fmt: on
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for module in _HOMES for name in _HOMES[module]})


def __dir__() -> list[str]:
    return __all__
