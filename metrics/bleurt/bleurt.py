"""BLEURT for `evaluate`, with the arguments and the result of the Hub's metric of this name."""

import evaluate

from metrologue.bridge import CheckpointModule  # From: -e CHECKOUT-OF-METROLOGUE


class BLEURT(CheckpointModule, evaluate.Metric):
    """BLEURT with the arguments and the result of the Hub's module of this name.

    BLEURT is the rating that a transformer gives to a text and a reference, which it reads together. It was trained on
    synthetic pairs, with the scores of other metrics, and then on human ratings. It needs a released checkpoint
    or a training.

    Returns:
        "scores", a list with the score of each segment.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import PairFunction
        >>> bleurt = metrologue.load("bleurt")
        >>> def equal(references, texts):
        ...     return [float(one == other) for one, other in zip(references, texts, strict=True)]
        >>> model = PairFunction("equal", "1", equal).model("bleurt")
        >>> results = bleurt.compute(predictions=["hello there"], references=["hello there"], checkpoint=model)
        >>> print([round(value, 2) for value in results["scores"]])
        [1.0]
    """

    metric = "bleurt"
    default_variant = "metrologue"
    arguments = {"checkpoint": "model"}
    checkpoints = (
        "bleurt-tiny-128",
        "bleurt-tiny-512",
        "bleurt-base-128",
        "bleurt-base-512",
        "bleurt-large-128",
        "bleurt-large-512",
        "BLEURT-20-D3",
        "BLEURT-20-D6",
        "BLEURT-20-D12",
        "BLEURT-20",
    )
    form = ", for TensorFlow"
    asked = (
        "`checkpoint`, a folder of its port to PyTorch with a model.safetensors "
        "(https://huggingface.co/lucadiliello/{})"
    )
    programs = ("https://github.com/google-research/bleurt",)

    def _answer(self, scorer, segments, call):
        _, each, extras = self._each(scorer, segments, call)
        return {"scores": each["bleurt"], **extras}
