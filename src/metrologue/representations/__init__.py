"""Representations: the vectors of tokens and of texts, by whatever encoder gives them."""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.representations.base import Encoder, TokenVectors
    from metrologue.representations.emotions import EmotionModel, FunctionEmotions
    from metrologue.representations.entailment import EntailmentModel, FunctionEntailment
    from metrologue.representations.function import FunctionEncoder
    from metrologue.representations.named import NamedEncoder
    from metrologue.representations.opening import open_encoder
    from metrologue.representations.pairs import CrossEncoder
    from metrologue.representations.store import VectorStore, vector_store
    from metrologue.representations.transformer import TransformerEncoder
    from metrologue.representations.word_vectors import WordVectors

__all__ = [
    "CrossEncoder",
    "EmotionModel",
    "Encoder",
    "EntailmentModel",
    "FunctionEmotions",
    "FunctionEncoder",
    "FunctionEntailment",
    "NamedEncoder",
    "TokenVectors",
    "TransformerEncoder",
    "VectorStore",
    "WordVectors",
    "open_encoder",
    "vector_store",
]

_HOMES = {
    "CrossEncoder": "pairs",
    "EmotionModel": "emotions",
    "Encoder": "base",
    "EntailmentModel": "entailment",
    "FunctionEmotions": "emotions",
    "FunctionEncoder": "function",
    "FunctionEntailment": "entailment",
    "NamedEncoder": "named",
    "TokenVectors": "base",
    "TransformerEncoder": "transformer",
    "VectorStore": "store",
    "WordVectors": "word_vectors",
    "open_encoder": "opening",
    "vector_store": "store",
}
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__
