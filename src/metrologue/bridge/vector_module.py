"""Modules whose metric needs an encoder."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from metrologue.bridge.metric_module import MetricModule
from metrologue.errors import InputError
from metrologue.language_models.pretrained import is_loaded
from metrologue.representations.store import vector_store
from metrologue.scorers.bertscore import BertScore
from metrologue.scorers.bertscore.hashcode import hashcode
from metrologue.scorers.bertscore.layers import model_of_language
from metrologue.scorers.core.crossed import distinct_texts
from metrologue.scorers.core.engine import encoder_of
from metrologue.segments import Segments

_BATCH = 64  # texts, as `TransformerEncoder` and the Hub's module have it


class VectorModule(MetricModule):
    """A ``MetricModule`` with what the Hub's ``bertscore`` does for its callers: models and baselines by name."""

    def _model_for(self, lang: str | None, model: Any) -> Any:
        """The model that is given, or the one for a language. Raises an InputError if there is neither."""
        if model is None and lang is None:
            raise self._error(
                "either `lang` (such as 'en') or `model_type` (such as 'roberta-large', or the "
                "path of a folder) must be given."
            )
        return model_of_language(str(lang)) if model is None else model

    def _encoder(self, model: Any, device: Any, batch_size: int) -> Any:
        """The encoder of a path, of a name or of a loaded model; anything else as it is."""
        is_path = isinstance(model, str | os.PathLike)
        if not (is_path or is_loaded(model)):
            return model
        from metrologue.representations import open_encoder

        options = {"device": device, "batch_size": None if batch_size == _BATCH else batch_size}
        given = {name: value for name, value in options.items() if value is not None}
        if not is_path:  # it is open, and may have been trained since the last call
            return open_encoder(model, **given)
        try:
            key = ("encoder", os.fspath(model), *given.items())
            return self._models.get(key, lambda: open_encoder(model, **given))
        except InputError as error:
            raise self._error(
                f"the model {os.fspath(model)!r} cannot be had: {error} Give `model_type`, the path of a folder."
            ) from error

    def _layers(self, scorer: BertScore, segments: Segments) -> list[BertScore]:
        """The scorer on each layer of its encoder. One run of the model gives the vectors of all layers."""
        encoder = encoder_of(scorer)
        layers = range(encoder.layers + 1)
        vector_store().tokens(encoder, distinct_texts(segments).texts, layers)
        return [replace(scorer, layer=layer) for layer in layers]

    def _rescaled(self, scorer: BertScore, lang: str | None, path: str | None) -> BertScore:
        """The scorer that rescales by a file, or by the one that bert-score has for a language and a model."""
        encoder = encoder_of(scorer)
        return scorer.with_baseline(path or self._own_baseline(lang, getattr(encoder, "source", encoder.name)))

    def _own_baseline(self, lang: str | None, model: Any) -> Path:
        if lang is None:
            raise self._error("rescaling needs `lang`, or a `baseline_path`.")
        spec = importlib.util.find_spec("bert_score")
        path = Path(spec.origin).parent / "rescale_baseline" / lang / f"{model}.tsv" if spec and spec.origin else None
        if path is None or not path.is_file():
            raise self._error(
                f"there is no baseline for {model} and {lang!r} here; give `baseline_path`, "
                "which `metrologue baseline` makes, or install bert-score, which has some."
            )
        return path

    # What bert-score calls the setting.
    _hashcode = staticmethod(hashcode)
