"""Word error rate for `evaluate`: the Hub's `wer`, number for number, and other libraries' by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The word error rate is the number of words that must be inserted, deleted or substituted to turn a text into its
reference, divided by the number of words in the reference. Libraries differ in what ends a word and in empty
references; `config_name` chooses the library.
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
    concatenate_texts: whether references without any word give the number of insertions and not an error. Nothing is
        concatenated, as in jiwer 4.
    lowercase: whether to apply `str.lower()` first.
    transforms: list of what is done to the texts then, such as ["punctuation", "strip"], in this order: "contractions",
        "punctuation", "kaldi", "spaces", "no-whitespace", "one-space", "strip", as jiwer's transforms do.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all rates and counts for each prediction.
Returns:
    the word error rate, a float. With `signature` or `per_segment`, a dict with the rate under "wer".
Examples:

    >>> import metrologue
    >>> wer = metrologue.load("wer")
    >>> predictions = ["this is the prediction", "there is an other sample"]
    >>> references = ["this is the reference", "there is another one"]
    >>> wer.compute(predictions=predictions, references=references)
    0.5
    >>> found = wer.compute(predictions=predictions, references=references, per_segment=True)
    >>> found["segments"]["substitutions"]
    [1.0, 2.0]
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class WER(MetricModule, evaluate.Metric):
    """The word error rate with the arguments and the result of the Hub's module of this name: a bare float."""

    metric = "wer"
    default_variant = "evaluate"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/jitsi/jiwer"],
            reference_urls=["https://www.isca-archive.org/interspeech_2004/morris04_interspeech.html"],
        )

    def _compute(
        self,
        predictions,
        references,
        concatenate_texts=False,
        lowercase=None,
        transforms=None,
        signature=False,
        per_segment=False,
    ):
        scorer = self._variant(
            empty="insertions" if concatenate_texts else None, lowercase=lowercase, transforms=transforms
        )
        scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        # If the references are empty, the rate is the number of insertions, an int as in the library.
        rate = scores["wer"] if scores["reference_length"] else scores["insertions"]
        return {"wer": rate, **extras} if extras else self._named(rate, "wer")
