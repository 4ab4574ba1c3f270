"""Language models: the probability of each token of a text.

It may import text and what stands below it, and ``metrologue.segments``.
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.language_models.base import FunctionModel, LanguageModel, TokenScores
    from metrologue.language_models.named import NamedModel, open_model

# fmt: off
__all__ = [
    "FunctionModel", "LanguageModel", "NamedModel", "TokenScores", "open_model",
]
_HOMES = {
    "base": ("FunctionModel", "LanguageModel", "TokenScores"),
    "named": ("NamedModel", "open_model"),
}
# fmt: on
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for module in _HOMES for name in _HOMES[module]})


def __dir__() -> list[str]:
    return __all__
