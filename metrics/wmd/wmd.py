"""Word Mover's Distance for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Wmd(MetricModule, evaluate.Metric):
    """How far words move to become those of another text.

    Word Mover's Distance is the least distance by which the words of a text must move, in a space of word vectors, to
    become the words of its reference. It needs word vectors.

    Returns:
        wmd (`float`): the mean distance of the segments that have a finite one, 0 or more; lower is better. 0 means the
            same words in the same shares. There is no greatest value: it depends on the vectors.
        infinite (`int`): the segments without a finite distance, because a text has no known word. The mean leaves them
            out, and a warning counts such texts.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations import WordVectors
        >>> from types import SimpleNamespace
        >>> words = {"obama": [1, 0], "president": [0.9, 0.1], "speaks": [0, 1], "greets": [0.1, 0.9]}
        >>> words["the"] = [0.2, 0.2]
        >>> keyed = SimpleNamespace(index_to_key=list(words), vectors=list(words.values()))
        >>> vectors = WordVectors.of_keyed_vectors(keyed, "toy")
        >>> wmd = metrologue.load("wmd", "gensim-raw")
        >>> results = wmd.compute(predictions=["obama speaks"], references=["president greets"], vectors=vectors)
        >>> print(round(results["wmd"], 6))
        0.141421
    """

    metric = "wmd"
    default_variant = "gensim"
    reported = ("wmd", "infinite")
