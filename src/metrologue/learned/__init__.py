"""Learned metrics: examples that people rated, features, trainers, and models that are kept as plain numbers.

``train`` makes a model for a metric such as ``ruse`` and measures it on texts that it has not seen, beside a trivial
rival and a report of what both parts of the data share. ``save_model`` and ``open_model`` write and read its folder,
which holds JSON and safetensors, and nothing that runs. ``metrologue train`` does the same on the command line.

It may import ``scorers.core`` and what stands below it, and no metric.
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.learned.card import model_card
    from metrologue.learned.examples import Examples, read_examples
    from metrologue.learned.features import Features, Scores, Vectors
    from metrologue.learned.leaks import LeakReport, leak_report
    from metrologue.learned.measuring import HeldOut, held_out
    from metrologue.learned.network import Network
    from metrologue.learned.ngrams import NgramEncoder
    from metrologue.learned.pair_function import PairFunction
    from metrologue.learned.recipes import train
    from metrologue.learned.store import open_model, sample_model, save_model
    from metrologue.learned.trained_model import TrainedModel
    from metrologue.learned.training import Mlp, Ridge

__all__ = [
    "Examples",
    "Features",
    "HeldOut",
    "LeakReport",
    "Mlp",
    "Network",
    "NgramEncoder",
    "PairFunction",
    "Ridge",
    "Scores",
    "TrainedModel",
    "Vectors",
    "held_out",
    "leak_report",
    "model_card",
    "open_model",
    "read_examples",
    "sample_model",
    "save_model",
    "train",
]

_HOMES = {
    "Examples": "examples",
    "Features": "features",
    "HeldOut": "measuring",
    "LeakReport": "leaks",
    "Mlp": "training",
    "Network": "network",
    "NgramEncoder": "ngrams",
    "PairFunction": "pair_function",
    "Ridge": "training",
    "Scores": "features",
    "TrainedModel": "trained_model",
    "Vectors": "features",
    "held_out": "measuring",
    "leak_report": "leaks",
    "model_card": "card",
    "open_model": "store",
    "read_examples": "examples",
    "sample_model": "store",
    "save_model": "store",
    "train": "recipes",
}
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__
