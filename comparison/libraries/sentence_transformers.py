"""sentence-transformers: cosines of vectors of texts."""

from __future__ import annotations

import os
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["SentenceTransformers"]


class SentenceTransformers(Library):
    """The package sentence-transformers. It takes a folder with a model, or a name on the Hub."""

    name = "sentence-transformers"
    distributions = ("sentence-transformers",)
    extra = "test-models"
    resolution = 1e-5
    takes_model = True

    def segments_semantic_similarity(
        self, predictions: Texts, references: References, *, model: str | os.PathLike[str]
    ) -> list[Scores]:
        """The greatest cosine of each prediction with one of its references, by ``util.pairwise_cos_sim``."""
        from sentence_transformers import SentenceTransformer, util

        encoder: Any = SentenceTransformer(os.fspath(model), trust_remote_code=False)
        own = encoder.encode(predictions, convert_to_tensor=True, show_progress_bar=False)
        rows = []
        for at, texts in enumerate(references):
            its = encoder.encode(texts, convert_to_tensor=True, show_progress_bar=False)
            rows.append({"semantic_similarity": float(util.cos_sim(own[at : at + 1], its).max())})
        return rows
