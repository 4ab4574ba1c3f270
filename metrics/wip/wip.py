"""Word information preserved for `evaluate`: jiwer's by default, torchmetrics' by `config_name`."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, text_features

_DESCRIPTION = """
Word information preserved is the share of hits among the words of the reference, times the share of hits among the
words of the text. It is 1 for equal texts and 0 for texts without a common word.
"""

_CITATION = """
@inproceedings{morris-etal-2004-wer,
    title = "From {WER} and {RIL} to {MER} and {WIL}: improved evaluation measures for connected speech recognition",
    author = "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
    booktitle = "Interspeech 2004",
    year = "2004",
    pages = "2765--2768",
    doi = "10.21437/Interspeech.2004-668"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all rates and counts for each prediction.
Returns:
    the word information preserved under "wip".
Examples:

    >>> import metrologue
    >>> wip = metrologue.load("wip")
    >>> predictions = ["this is the prediction", "there is an other sample"]
    >>> references = ["this is the reference", "there is another one"]
    >>> wip.compute(predictions=predictions, references=references)
    {'wip': 0.3472222222222222}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Wip(MetricModule, evaluate.Metric):
    """The word information preserved; the Hub has no module of this name."""

    metric = "wip"
    default_variant = "jiwer"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://github.com/jitsi/jiwer"],
            reference_urls=["https://www.isca-archive.org/interspeech_2004/morris04_interspeech.html"],
        )

    def _compute(self, predictions, references, signature=False, per_segment=False):
        return self._value(self._variant(), predictions, references, signature, per_segment)
