"""COMET for `evaluate`, with the arguments and the result of the Hub's metric of this name."""

import evaluate

from metrologue.bridge import CheckpointModule  # From: -e CHECKOUT-OF-METROLOGUE


class COMET(CheckpointModule, evaluate.Metric):
    """COMET with the arguments and the result of the Hub's module of this name.

    COMET is the rating that a network gives to a translation, its source and mostly a reference. It was trained on
    people's ratings. A checkpoint of unbabel-comet is read without that package.

    Args:
        model: folder of a checkpoint, with hparams.yaml and checkpoints/model.ckpt, or an open model.
        encoder: folder or name on the Hub of the model that the checkpoint was trained from, such as
            xlm-roberta-large; only its configuration and its tokenizer are read.
        gpus: 0 for the processor, otherwise a GPU; by default a GPU if there is one. One is used at most.
        batch_size: how many texts go through the network at once; another name of batch.
        device: "cpu", "cuda", "cuda:1", "mps"; in place of gpus.
        dtype: "float32" or "float16"; another name of precision.
        progress_bar: taken for the Hub's sake; a progress bar comes on a terminal if the work takes long.

    Returns:
        "mean_score", the mean of the scores, and "scores", a list with the score of each segment.

    Examples:

        >>> import metrologue
        >>> from metrologue.scorers.comet.network import CometFunction
        >>> comet = metrologue.load("comet")
        >>> def equal(translations, sources, references):
        ...     return [float(one == other) for one, other in zip(translations, references, strict=True)]
        >>> results = comet.compute(
        ...     predictions=["hello there", "bye"], sources=["bonjour", "salut"], references=["hello there", "hi"],
        ...     model=CometFunction("equal", "1", equal).model("comet"),
        ... )
        >>> results["mean_score"], results["scores"]
        (0.5, [1.0, 0.0])
    """

    metric = "comet"
    default_variant = "unbabel-comet"
    asked = "`model`, its folder (https://huggingface.co/Unbabel/{}), and `encoder`"
    checkpoints = (
        "emnlp20-comet-rank",
        "wmt20-comet-da",
        "wmt20-comet-qe-da",
        "wmt21-comet-da",
        "wmt21-comet-mqm",
        "wmt21-comet-qe-da",
        "wmt21-comet-qe-mqm",
        "eamt22-cometinho-da",
        "wmt22-comet-da",
        "wmt22-cometkiwi-da",
        "wmt22-unite-da",
        "wmt23-cometkiwi-da-xl",
        "wmt23-cometkiwi-da-xxl",
        "XCOMET-XL",
        "XCOMET-XXL",
    )
    programs = ("https://github.com/Unbabel/COMET",)

    def _fields(
        self, model=None, encoder=None, gpus=None, progress_bar=False, batch_size=None, device=None, dtype=None
    ):  # fmt: skip
        if device is None and gpus is not None:
            device = "cuda" if gpus else "cpu"
        asked = {name: value for name, value in (("batch_size", batch_size), ("dtype", dtype)) if value is not None}
        return {"model": self._with_its_encoder(model, encoder, device), **self._run_fields(asked)}

    def _answer(self, scorer, segments, call):
        scores, each, extras = self._each(scorer, segments, call)
        return {"mean_score": scores["comet"], "scores": each["comet"], **extras}
