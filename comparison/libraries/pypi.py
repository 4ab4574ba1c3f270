"""hLepor 0.0.4, the package on PyPI.

It imports nptyping, which it does not declare, for annotations only. When it is imported, it tries to download nltk's
old model of sentences, which it does not need. Here it gets a stand-in for the one, and no download.
"""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts
from metrologue.comparison.libraries.nltk import has_punkt

__all__ = ["Pypi"]


class Pypi(Library):
    """``hlepor_score``, over nltk's ``word_tokenize`` of texts in lower case."""

    name = "pypi"
    distributions = ("hlepor", "nltk")

    def score_hlepor(
        self,
        predictions: Texts,
        references: References,
        *,
        separate_punctuation: bool = True,
        **weights: float,
    ) -> Scores:
        """``hlepor_score``: the mean over the texts. Without `separate_punctuation`: ``strip().split(" ")``."""
        if separate_punctuation and not has_punkt():
            raise LibraryError(f"{self.name}: word_tokenize needs nltk's data; python -m nltk.downloader punkt_tab")
        texts = self._single(references), predictions
        with np.errstate(all="ignore"):  # it divides by the length of a text without words
            value = _module().hlepor_score(*texts, separate_punctuation=separate_punctuation, **weights)
        return {"hlepor": float(value)}


@cache
def _module() -> Any:
    stand_in: Any = ModuleType("nptyping")
    stand_in.NDArray = None
    own = sys.modules.setdefault("nptyping", stand_in)
    try:
        with mock.patch("nltk.download"):
            import hlepor.hlepor as module
    finally:
        if own is stand_in:
            del sys.modules["nptyping"]
    return module
