"""ROUGE-WE for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class RougeWe(MetricModule, evaluate.Metric):
    """N-grams that match if their words have similar vectors.

    ROUGE-WE is the overlap of the n-grams of a text and of its references, where two n-grams match if the vectors of
    their words are similar. It needs word vectors.

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

    metric = "rouge_we"
    default_variant = "summ-eval"
    reported = ("rouge_we", "precision", "recall")
    programs = ("https://github.com/Yale-LILY/SummEval", "https://github.com/UKPLab/emnlp-ws-2017-s3")
