"""unbabel-comet, the package of COMET's authors."""

from __future__ import annotations

import contextlib
import io
import logging
import os
from pathlib import Path
from typing import Any, ClassVar

from metrologue.comparison.libraries.base import Library, References, Scores, Texts

__all__ = ["UnbabelComet"]


class UnbabelComet(Library):
    """The package unbabel-comet, with the folder of a checkpoint.

    It opens the encoder that the checkpoint names, unless another place is given. Its pins do not go with those of
    other libraries, so it is mostly in an environment of its own.
    """

    name = "unbabel-comet"
    distributions = ("unbabel-comet",)
    bare = ("unbabel-comet",)
    resolution = 1e-5
    takes_model = True
    model_needed = "a checkpoint; give `model`, the path of its folder"
    inputs: ClassVar = {"comet": ("sources",)}

    def segments_comet(
        self,
        predictions: Texts,
        references: References,
        *,
        model: str | os.PathLike[str],
        encoder: Any = None,
        sources: Texts | None = None,
    ) -> list[Scores]:
        """``predict`` of all segments, each with its first reference. Sources that are missing are empty."""
        import yaml
        from comet.models import str2model

        folder = Path(model)
        told = yaml.safe_load((folder / "hparams.yaml").read_text("utf-8"))
        place = encoder[0] if isinstance(encoder, list) else encoder
        given: dict[str, Any] = {} if place is None else {"pretrained_model": os.fspath(place)}
        logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
        path, kind = folder / "checkpoints" / "model.ckpt", str2model[told["class_identifier"]]
        opened: Any = kind.load_from_checkpoint(
            path, load_pretrained_weights=False, strict=False, map_location="cpu", **given
        )
        rows = zip(predictions, references, sources or [""] * len(predictions), strict=True)
        texts = [{"mt": text, "src": source, "ref": (own or [""])[0]} for text, own, source in rows]
        with contextlib.redirect_stderr(io.StringIO()):
            scores = opened.predict(texts, gpus=0, progress_bar=False)["scores"]
        return [{"comet": score} for score in scores]
