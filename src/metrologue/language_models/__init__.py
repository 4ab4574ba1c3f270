"""Language models: the probability of each token of a text."""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.language_models.base import LanguageModel, TokenScores
    from metrologue.language_models.function import FunctionModel
    from metrologue.language_models.named import NamedModel
    from metrologue.language_models.opening import open_model

__all__ = ["FunctionModel", "LanguageModel", "NamedModel", "TokenScores", "open_model"]

_HOMES = {
    "FunctionModel": "function", "LanguageModel": "base", "NamedModel": "named", "TokenScores": "base",
    "open_model": "opening",
}  # fmt: skip
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__
