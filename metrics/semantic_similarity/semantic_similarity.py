"""Semantic Similarity for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The semantic similarity of two texts is the cosine of the vectors that an encoder gives them, or the number that a model
of pairs of texts gives.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of the score of equal texts under a bi-encoder.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    model (encoder, path or name, default None): The encoder: a folder with a model of transformers or of
        sentence-transformers, a name on the Hub, a file of word vectors, an `Encoder`, or the name of one in use, as a
        signature has it. There is no score without one.
    too_long ("error" or "cut", default "cut"): What happens to a text that is longer than the model's context. `error`:
        it is refused. `cut`: its end is left out, and a warning counts such texts.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "sentence-transformers".
Returns:
    semantic_similarity (`float`): -1 to 1 for the cosine of a bi-encoder, 0 to 1 for a cross-encoder; higher is better.
        Equal texts have a cosine of 1.
Examples:

    >>> import metrologue
    >>> similarity = metrologue.load("semantic_similarity")
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> encoder = FunctionEncoder("letters", letters, digest="1")
    >>> results = similarity.compute(predictions=["a bad cab"], references=["a cab"], model=encoder)
    >>> print(round(results["semantic_similarity"], 4))
    0.9487
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class SemanticSimilarity(MetricModule, evaluate.Metric):
    """How close two texts are in meaning, by an encoder."""

    metric = "semantic_similarity"
    default_variant = "sentence-transformers"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/UKPLab/sentence-transformers", "https://github.com/wl-research/nubia"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        model=None,
        too_long=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            multi_reference=multi_reference,
            model=model,
            too_long=too_long,
        )
