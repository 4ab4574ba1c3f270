"""KenLM's Python binding."""

from __future__ import annotations

import os
from typing import Any

from metrologue.comparison.libraries.base import Library, LibraryError, References, Scores, Texts

__all__ = ["Kenlm"]


class Kenlm(Library):
    """The package kenlm. It scores texts by an n-gram model: an ARPA file, or a binary file of KenLM."""

    name = "kenlm"
    distributions = ("kenlm",)
    extra = "kenlm"
    takes_model = True
    model_needed = "an n-gram model; give `model`, the path of its file"

    def score_perplexity(
        self, predictions: Texts, references: References, *, model: str | os.PathLike[str], boundaries: bool = True
    ) -> Scores:
        """The summary of KenLM's ``query``, from ``Model.score`` of each text and ``Model.full_scores`` of its tokens.

        ``Model.perplexity`` is that of one text. With ``boundaries=False`` there are no ``<s>`` and ``</s>``.
        """
        if os.path.isdir(model):
            raise LibraryError(f"{self.name}: {os.fspath(model)} is a folder; KenLM reads files")
        import kenlm

        settings = kenlm.Config()
        settings.show_progress, settings.arpa_complain = False, kenlm.ARPALoadComplain.NONE
        opened: Any = kenlm.Model(os.fspath(model), settings)
        ends = {"bos": boundaries, "eos": boundaries}
        total, unknown, tokens = 0.0, [], 0
        for text in predictions:
            total += opened.score(text, **ends)
            for log, _, is_unknown in opened.full_scores(text, **ends):
                tokens += 1
                if is_unknown:
                    unknown.append(log)
        known = tokens - len(unknown)
        return {
            "perplexity": 10.0 ** -(total / tokens),
            **({"perplexity_excluding_oovs": 10.0 ** -((total - sum(unknown)) / known)} if known else {}),
            "oovs": float(len(unknown)),
            "tokens": float(tokens),
        }
