"""BLEURT for `evaluate`, with the arguments and the result of the Hub's metric of this name."""

import evaluate

from metrologue.bridge import CheckpointModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
BLEURT is the rating that a transformer gives to a text and a reference, which it reads together. It was trained on
synthetic pairs, with the scores of other metrics, and then on the ratings of people.
"""

_CITATION = """
@inproceedings{sellam-etal-2020-bleurt,
    title = "{BLEURT}: Learning Robust Metrics for Text Generation",
    author = "Sellam, Thibault and Das, Dipanjan and Parikh, Ankur P.",
    booktitle = "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
    year = "2020",
    pages = "7881--7892",
    doi = "10.18653/v1/2020.acl-main.704"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts: one reference or several for each prediction.
    checkpoint: folder of the port of an authors' checkpoint to PyTorch, folder of a model that `metrologue train
        bleurt` made, or a trained model. The name of the checkpoint may be given as `config_name`, as on the Hub;
        nothing is downloaded.
    multi_reference: how several references join: "best" or "mean".
    too_long: what happens to a pair that is longer than the model's context: "cut" or "error".
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each segment.

    An argument that is left out has the variant's value.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class BLEURT(CheckpointModule, evaluate.Metric):
    """BLEURT with the arguments and the result of the Hub's module of this name."""

    metric = "bleurt"
    default_variant = "metrologue"
    renamed = (("model", "checkpoint"),)
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
    ported = "https://huggingface.co/lucadiliello/{}"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            homepage="https://github.com/google-research/bleurt",
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/google-research/bleurt"],
            reference_urls=["https://github.com/google-research/bleurt", "https://arxiv.org/abs/2004.04696"],
        )

    def _compute(
        self,
        predictions,
        references,
        checkpoint=None,
        multi_reference=None,
        too_long=None,
        signature=False,
        per_segment=False,
    ):
        fields = {"multi_reference": multi_reference, "too_long": too_long}
        with self._chosen(model=checkpoint, **fields) as scorer:
            _, extras = self._score(scorer, predictions, references, signature, True)
        segments = extras["segments"] if per_segment else extras.pop("segments")
        return {"scores": segments["bleurt"], **extras}
