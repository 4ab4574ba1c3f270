"""YiSi for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Yisi(MetricModule, evaluate.Metric):
    """Similarity of words and frames, by how rare they are.

    YiSi is the similarity of the n-grams, and if parses are given of the semantic frames, of a text and its reference.
    Words weigh more the rarer they are. No model needed; it also takes word vectors.

    Returns:
        yisi (`float`): the mean of the scores of the segments, 0 to 1; higher is better. Equal texts score 1.
        precision (`float`): the mean of the precisions, 0 to 1.
        recall (`float`): the mean of the recalls, 0 to 1.

    Examples:

        >>> import metrologue
        >>> yisi = metrologue.load("yisi")
        >>> predictions = ["the cats sat on a mat", "the dog barks loud"]
        >>> references = ["the cat sat on the mat", "a dog barked loudly"]
        >>> results = yisi.compute(predictions=predictions, references=references)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'yisi': 0.7605, 'precision': 0.7655, 'recall': 0.7593}
    """

    metric = "yisi"
    default_variant = "yisi-0"
    reported = ("yisi", "precision", "recall")
    programs = ("https://github.com/chikiulo/yisi",)
