"""MetricX for `evaluate`, with the arguments of `comet`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import CheckpointModule  # From: -e CHECKOUT-OF-METROLOGUE


class MetricX(CheckpointModule, evaluate.Metric):
    """MetricX with the arguments and the result of `comet`.

    MetricX is the error score, from 0 to 25, that a trained mT5 gives to a translation with its source, a reference or
    both; lower is better. A checkpoint of MetricX-23 or MetricX-24 is read without the authors' program.

    Args:
        model: folder of a checkpoint, with config.json and the weights, or an open model.
        encoder: folder or name on the Hub of the mT5 that the checkpoint was trained from, such as google/mt5-xl; only
            its tokenizer is read.
        batch_size: how many rows of texts go through the network at once; another name of batch.
        device: "cpu", "cuda", "cuda:1", "mps"; by default a GPU if there is one.
        dtype: "float32", "bfloat16" or "float16"; another name of precision.

    Returns:
        "mean_score", the mean of the scores, and "scores", a list with the score of each segment.

    Examples:

        >>> import metrologue
        >>> from metrologue.scorers.metricx.network import MetricXFunction
        >>> metricx = metrologue.load("metricx")
        >>> def other(translations, sources, references):
        ...     return [5.0 * (one != other) for one, other in zip(translations, references, strict=True)]
        >>> results = metricx.compute(
        ...     predictions=["hello there", "bye"], sources=["bonjour", "salut"], references=["hello there", "hi"],
        ...     model=MetricXFunction("other", "1", other).model("metricx"),
        ... )
        >>> results["mean_score"], results["scores"]
        (2.5, [0.0, 5.0])
    """

    metric = "metricx"
    default_variant = "metricx-24"
    asked = "`model`, its folder (https://huggingface.co/google/{}), and `encoder`, its mT5"
    checkpoints = (
        "metricx-23-large-v2p0",
        "metricx-23-xl-v2p0",
        "metricx-23-xxl-v2p0",
        "metricx-23-qe-large-v2p0",
        "metricx-23-qe-xl-v2p0",
        "metricx-23-qe-xxl-v2p0",
        "metricx-24-hybrid-large-v2p6",
        "metricx-24-hybrid-xl-v2p6",
        "metricx-24-hybrid-xxl-v2p6",
        "metricx-24-hybrid-large-v2p6-bfloat16",
        "metricx-24-hybrid-xl-v2p6-bfloat16",
        "metricx-24-hybrid-xxl-v2p6-bfloat16",
    )
    programs = ("https://github.com/google-research/metricx",)

    def _fields(self, model=None, encoder=None, batch_size=None, device=None, dtype=None):
        asked = {name: value for name, value in (("batch_size", batch_size), ("dtype", dtype)) if value is not None}
        return {"model": self._with_its_encoder(model, encoder, device), **self._run_fields(asked)}

    def _answer(self, scorer, segments, call):
        scores, each, extras = self._each(scorer, segments, call)
        return {"mean_score": scores["metricx"], "scores": each["metricx"], **extras}
