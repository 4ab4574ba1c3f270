"""Semantic Similarity for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class SemanticSimilarity(MetricModule, evaluate.Metric):
    """How close two texts are in meaning, by an encoder.

    The semantic similarity of two texts is the cosine of the vectors that an encoder gives them, or the number that a
    model of pairs of texts gives. It needs an encoder.

    Returns:
        semantic_similarity (`float`): -1 to 1 for the cosine of a bi-encoder, 0 to 1 for a cross-encoder; higher is
            better. Equal texts have a cosine of 1.

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

    metric = "semantic_similarity"
    default_variant = "sentence-transformers"
    programs = ("https://github.com/UKPLab/sentence-transformers", "https://github.com/wl-research/nubia")
