"""Sentence Mover's Similarity for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Smd(MetricModule, evaluate.Metric):
    """How far sentences move to become those of another text.

    Sentence Mover's Similarity says how far the sentences of a text must move, in a space of word vectors, to become
    the sentences of its reference. It needs word vectors.

    Returns:
        smd (`float`): the mean similarity, 0 to 1; higher is better. 1 means that the same sentences have the same
            weights.
        distance (`float`): the mean distance of the segments that have a finite one, 0 or more; lower is better.
        infinite (`int`): the segments without a finite distance, because a text has no known word. They score 0, and a
            warning counts such texts.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations import WordVectors
        >>> from types import SimpleNamespace
        >>> words = {"obama": [1, 0], "speaks": [0, 1], "media": [0.5, 0.5], "illinois": [0, 0.3]}
        >>> words |= {"president": [0.9, 0.1], "greets": [0.1, 0.9], "press": [0.55, 0.5], "chicago": [0.05, 0.25]}
        >>> keyed = SimpleNamespace(index_to_key=list(words), vectors=list(words.values()))
        >>> vectors = WordVectors.of_keyed_vectors(keyed, "toy")
        >>> smd = metrologue.load("smd")
        >>> predictions, references = ["President greets. Press Chicago."], ["Obama speaks. Media Illinois."]
        >>> results = smd.compute(predictions=predictions, references=references, vectors=vectors)
        >>> print(round(results["smd"], 6), round(results["distance"], 6))
        0.972436 0.027951
    """

    metric = "smd"
    default_variant = "sms"
    reported = ("smd", "distance", "infinite")
    programs = ("https://github.com/eaclark07/sms",)
