"""Dice coefficient for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
The Dice coefficient (Dice 1945) of two texts is twice the number of shared words or n-grams, divided by the sum of
their numbers in both texts. It is the F1 of precision and recall. Each distinct n-gram counts once, unless `binary` is
False. The score is the mean over the texts.
"""

_CITATION = """
@article{dice-1945-measures,
    title = "Measures of the Amount of Ecologic Association Between Species",
    author = "Dice, Lee R.",
    journal = "Ecology",
    volume = "26",
    number = "3",
    pages = "297--302",
    year = "1945",
    doi = "10.2307/1932409"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score, or list of sets or lists of labels.
    references: list of texts, or list of lists of texts if a prediction has several references; or the same of labels.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    order: the n of the n-grams.
    binary: whether each distinct n-gram counts once.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    dice, and accuracy: the share of texts that have exactly the n-grams of a reference.
Examples:

    >>> import metrologue
    >>> dice = metrologue.load("dice")
    >>> dice.compute(predictions=["a b c d", "a b"], references=[["a b x y"], ["b a"]])
    {'dice': 0.75, 'accuracy': 0.5}
    >>> dice.compute(predictions=[["type:desk", "colour:red"]], references=[["type:desk", "colour:red", "size:large"]])
    {'dice': 0.8, 'accuracy': 0.0}
    >>> metrologue.load("dice", "bigrams").compute(predictions=["night"], references=["nacht"])
    {'dice': 0.25, 'accuracy': 0.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Dice(MetricModule, evaluate.Metric):
    """The Dice coefficient of predictions and their references."""

    metric = "dice"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(labels=True),
            reference_urls=["https://doi.org/10.2307/1932409"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        lowercase=None,
        order=None,
        binary=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(tokenizer=name, lowercase=lowercase, order=order, binary=binary)
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {"dice": scores["dice"], "accuracy": scores["accuracy"], **extras}
