"""moverscore, the package of MoverScore's authors: its module moverscore_v2, which needs no GPU and no network here.

The module was written in 2019 and loads DistilBERT when it is imported. Its code is run as it is, in surroundings of
that time: stand-ins take the places of names that newer libraries no longer have, and give it the model of a folder.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections import defaultdict
from functools import lru_cache
from multiprocessing.pool import ThreadPool
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts
from metrologue.language_models.pretrained import model_at, tokenizer_at

__all__ = ["MoverscorePackage", "program"]


class MoverscorePackage(Library):
    """The package moverscore. It takes a folder with a model of transformers whose tokenizer is BERT's.

    Its distances are computed in float32, where that of a token from itself may be 0.0005 in place of 0. With
    ``dtype="float64"`` the model and all that follows is float64; its solver still rounds weights to millionths.
    """

    name = "moverscore"
    distributions = ("moverscore", "pyemd", "torch", "transformers")
    bare = ("moverscore",)  # it asks for an old copy of `typing`
    resolution = 1e-3
    takes_model = True

    def segments_moverscore(
        self,
        predictions: Texts,
        references: References,
        *,
        model: str | os.PathLike[str],
        idf: bool = False,
        dtype: str = "float32",
    ) -> list[Scores]:
        """``word_mover_score`` with each reference, of which the package takes one at a time; the best one counts."""
        return self.of_program(_opened(os.fspath(model), dtype), predictions, references, idf=idf)

    @staticmethod
    def of_program(program: Any, predictions: Texts, references: References, *, idf: bool = False) -> list[Scores]:
        """The numbers of the module that `program` gives."""
        import numpy as np

        own = [text for text, its in zip(predictions, references, strict=True) for _ in its]
        flat = [each for its in references for each in its]
        if idf:
            weights = program.get_idf_dict(flat), program.get_idf_dict(predictions)
        else:
            weights = defaultdict(lambda: 1.0), defaultdict(lambda: 1.0)
        with patch.object(np, "float", float, create=True):  # NumPy 1.24 took it away
            found = iter(program.word_mover_score(flat, own, *weights, device="cpu"))
        return [{"moverscore": max(float(next(found)) for _ in its)} for its in references]


class _Model:
    """A model as one of 2019, which gives a tuple, and stays where it is."""

    def __init__(self, path: str, dtype: str) -> None:
        import torch
        import transformers

        self._model = model_at(transformers.AutoModel, path).to(getattr(torch, dtype)).eval()

    def eval(self) -> None:
        """It is ready."""

    def to(self, _device: str) -> None:
        """There is no GPU of this name here."""

    def __call__(self, **given: Any) -> tuple[Any, Any, None]:
        found = self._model(**given, output_hidden_states=True)
        return found.last_hidden_state, found.hidden_states, None


def _tokenizer(path: str) -> Any:
    import transformers

    made = tokenizer_at(transformers.AutoTokenizer, path)
    made.max_len = made.model_max_length  # its name until transformers 3
    return made


@lru_cache(maxsize=1)
def _opened(path: str, dtype: str) -> Any:
    return program(_tokenizer(path), _Model(path, dtype))


def program(tokenizer: Any, model: Any) -> Any:
    """The module, with this tokenizer and this model in place of those of DistilBERT.

    The tokenizer has `max_len`, ``tokenize`` and ``convert_tokens_to_ids``. The model is a function from `input_ids`
    and `attention_mask` to a tuple, whose second entry is the vectors of all layers; it has ``eval`` and ``to``.
    """
    library, plots = ModuleType("transformers"), ModuleType("matplotlib.pyplot")
    for name, made in {"Config": None, "Tokenizer": tokenizer, "Model": model}.items():
        setattr(library, f"DistilBert{name}", SimpleNamespace(from_pretrained=lambda *_, made=made, **__: made))
    spec = importlib.util.find_spec("moverscore_v2")
    if spec is None or spec.loader is None:
        raise LibraryError("moverscore: moverscore_v2 is not installed")
    module = importlib.util.module_from_spec(spec)
    with patch.dict(sys.modules, {"transformers": library, "matplotlib.pyplot": plots}):
        spec.loader.exec_module(module)
    vars(module)["Pool"] = ThreadPool  # a process would need the module by name
    return module
