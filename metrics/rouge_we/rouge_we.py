"""ROUGE-WE for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
ROUGE-WE is the overlap of the n-grams of a text and of its references, where two n-grams match if the vectors of their
words are similar.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The score of a text that equals its reference.
    multi_reference ("pooled" or "best", default "pooled"): How several references join. `pooled`: the hits and the
        n-grams of all are summed. `best`: the one with the best score counts; ties: the first.
    tokenizer (str or function, default "unicode-words"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default True): Whether each token is put into lower case.
    vectors (encoder, path or name, default None): The word vectors: a file of GloVe, word2vec or fastText, a
        `WordVectors`, or the name of one in use, as a signature has it. There is no score without them.
    order (int, default 3): The length of n-grams.
    threshold (float, default 0.8): The least similarity of a match.
    alpha (float, default 0.5): The weight of the precision; that of the recall is the rest. S3 takes the recall alone,
        which is 0.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "summ-eval".
Returns:
    rouge_we (`float`): the mean F-measure, 0 to 1; higher is better. 1 means that all n-grams match.
    precision (`float`): the mean share of the text's n-grams that match.
    recall (`float`): the mean share of the references' n-grams that match.
Examples:

    >>> import metrologue
    >>> from metrologue.representations import WordVectors
    >>> from types import SimpleNamespace
    >>> words = {"cat": [1, 0], "kitten": [0.9, 0.1], "dog": [0, 1]}
    >>> keyed = SimpleNamespace(index_to_key=list(words), vectors=list(words.values()))
    >>> vectors = WordVectors.of_keyed_vectors(keyed, "toy")
    >>> rouge_we = metrologue.load("rouge_we")
    >>> rouge_we.compute(predictions=["cat dog"], references=["kitten dog"], vectors=vectors, order=2)
    {'rouge_we': 1.0, 'precision': 1.0, 'recall': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class RougeWe(MetricModule, evaluate.Metric):
    """N-grams that match if their words have similar vectors."""

    metric = "rouge_we"
    default_variant = "summ-eval"
    reported = ("rouge_we", "precision", "recall")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/Yale-LILY/SummEval", "https://github.com/UKPLab/emnlp-ws-2017-s3"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        tokenizer=None,
        lowercase=None,
        vectors=None,
        order=None,
        threshold=None,
        alpha=None,
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
            tokenizer=tokenizer,
            lowercase=lowercase,
            vectors=vectors,
            order=order,
            threshold=threshold,
            alpha=alpha,
        )
