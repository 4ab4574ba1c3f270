"""bert-score, the package of BERTScore's authors."""

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["BertScorePackage"]


class BertScorePackage(Library):
    """The package bert-score. It takes a folder with a model of transformers, or a name on the Hub."""

    name = "bert-score"
    distributions = ("bert-score", "transformers")
    extra = "test-models"
    resolution = 1e-5
    takes_model = True

    def segments_bertscore(
        self,
        predictions: Texts,
        references: References,
        *,
        model: str | os.PathLike[str],
        layer: int | None = None,
        idf: bool = False,
        baseline_path: str | None = None,
    ) -> list[Scores]:
        """``score`` of all segments. Without a layer, it is that of the package's table, otherwise the last."""
        import torch
        from bert_score import score

        with contextlib.redirect_stderr(io.StringIO()):  # a line for each batch with an empty text
            numbers: Any = score(
                predictions,
                references,
                model_type=os.fspath(model),
                num_layers=_last_layer(os.fspath(model)) if layer is None else layer,
                idf=idf,
                nthreads=0,
                lang="en",
                rescale_with_baseline=baseline_path is not None,
                baseline_path=baseline_path,
            )
        rows = torch.stack(numbers, dim=1).double().tolist()
        return [{"f1": f, "precision": p, "recall": r} for p, r, f in rows]


def _last_layer(model: str) -> int:
    """The layer that the package has for a model of this name, otherwise the model's last one."""
    from bert_score.utils import model2layers
    from transformers import AutoConfig

    if known := model2layers.get(model):
        return int(known)
    config = AutoConfig.from_pretrained(model, trust_remote_code=False)
    return int(config.get_text_config().num_hidden_layers)
