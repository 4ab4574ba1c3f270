"""lexicalrichness and lexical-diversity: measures of the vocabulary of one text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["KylesLexicalDiversity", "LexicalRichness", "lex_div"]


class LexicalRichness(Library):
    """lexicalrichness. The tokens of all predictions, one after another, are one text."""

    name = "lexicalrichness"
    distributions = ("lexicalrichness",)

    def score_lexical_diversity(
        self,
        predictions: Texts,
        references: References,
        *,
        measures: Sequence[str] | None = None,
        window: int = 100,
        discard: bool = True,
        draws: int = 42,
        threshold: float = 0.72,
        vocd: Mapping[str, int] | None = None,
    ) -> Scores:
        """The package's properties and methods, over its own ``tokenize``.

        ``measures`` are those to call. Of these, the first must have a number. One that raises after it is left out.
        Two are called only if they are asked for: ``herdan_vm``, because the package gives noise or no number where it
        is 0, and ``vocd_d``, because its fit has seven digits, and fewer where D is large. ``vocd`` are the
        arguments of that one.
        """
        from lexicalrichness import LexicalRichness as Text
        from lexicalrichness.lexicalrichness import tokenize

        tokens = [token for text in predictions for token in tokenize(text)]
        text = Text(tokens, preprocessor=None, tokenizer=None)
        calls: dict[str, Callable[[], Any]] = {
            "ttr": lambda: text.ttr, "root_ttr": lambda: text.rttr, "corrected_ttr": lambda: text.cttr,
            "herdan_c": lambda: text.Herdan, "summer_s": lambda: text.Summer, "dugast_u": lambda: text.Dugast,
            "maas_a2": lambda: text.Maas, "yule_k": lambda: text.yulek, "yule_i": lambda: text.yulei,
            "herdan_vm": lambda: text.herdanvm, "simpson_d": lambda: text.simpsond,
            "msttr": lambda: text.msttr(window, discard), "mattr": lambda: text.mattr(window),
            "hdd": lambda: text.hdd(draws), "mtld": lambda: text.mtld(threshold),
            "vocd_d": lambda: text.vocd(**vocd or {}),
        }  # fmt: skip
        chosen = measures or [name for name in calls if name not in ("herdan_vm", "vocd_d")]
        scores: Scores = {}
        for name in chosen:
            try:
                with np.errstate(divide="ignore", invalid="ignore"):
                    scores[name] = float(calls[name]())
            except (ValueError, ZeroDivisionError):
                if not scores:
                    raise
        return scores


class KylesLexicalDiversity(Library):
    """lexical-diversity by K. Kyle. The tokens of all predictions, one after another, are one text."""

    name = "lexical-diversity"
    distributions = ("lexical-diversity",)

    def score_lexical_diversity(
        self,
        predictions: Texts,
        references: References,
        *,
        measures: Sequence[str] | None = None,
        window: int = 50,
        least_length: int = 10,
    ) -> Scores:
        """The functions of ``lex_div``, over its own ``tokenize``.

        ``measures`` are those to call. The two of moving factors are called only if they are asked for: they read the
        rest of the text for each token.
        """
        package = lex_div()
        tokens = [token for text in predictions for token in package.tokenize(text)]
        calls: dict[str, Callable[[], Any]] = {
            "ttr": lambda: package.ttr(tokens),
            "root_ttr": lambda: package.root_ttr(tokens),
            "herdan_c": lambda: package.log_ttr(tokens),
            "maas_a2": lambda: package.maas_ttr(tokens),
            "msttr": lambda: package.msttr(tokens, window_length=window),
            "mattr": lambda: package.mattr(tokens, window_length=window),
            "hdd": lambda: package.hdd(tokens),
            "mtld": lambda: package.mtld(tokens, min=least_length),
            "mtld_ma_wrap": lambda: package.mtld_ma_wrap(tokens, min=least_length),
            "mtld_ma_bid": lambda: package.mtld_ma_bid(tokens, min=least_length),
        }
        return {name: calls[name]() for name in measures or [name for name in calls if "_ma_" not in name]}


def lex_div() -> Any:
    """The package. It finds its word list with ``pkg_resources``, which newer releases of setuptools do not have."""
    name = "lexical_diversity.lex_div"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "pkg_resources":
            raise
    stand_in: Any = ModuleType("pkg_resources")
    stand_in.resource_filename = lambda package, file: str(Path(import_module(package).__file__ or "").parent / file)
    with patch.dict(sys.modules, {"pkg_resources": stand_in}):
        found = import_module(name)
    sys.modules[name] = found  # `patch.dict` takes away what was imported meanwhile
    return found
