"""Word Mover's Distance for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Word Mover's Distance is the least distance by which the words of a text must move, in a space of word vectors, to
become the words of its reference.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' finite distances.
    scale (float, default 1.0): What the distance is multiplied by.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    vectors (encoder, path or name, default None): The word vectors: a file of GloVe, word2vec or fastText, a
        `WordVectors`, or the name of one in use, as a signature has it. There is no score without them.
    normalize (bool, default True): Whether a vector is divided by its length first.
    stop_words (str, default None): The words that are left out: "sklearn", "spacy", "nltk" or "rouge-1.5.5", where
        these are installed, or a list of your own. None: no word is.
    missing ("drop" or "zero" or "error", default "drop"): What happens to a word without a vector. `drop`: it is left
        out. `zero`: its vector is all zeros. `error`: it is refused.
    transport ("exact" or "relaxed" or "centroids", default "exact"): How the weight is moved. `exact`: at the least
        cost. `relaxed`: each word goes to the nearest word of the other text, from the text where this costs more
        (RWMD, at most the exact cost). `centroids`: the mean of one text's vectors goes to that of the other (WCD, at
        most the exact cost).
    all_zero ("zero" or "infinite", default "infinite"): The distance of two texts whose words all have the same vector;
        not for centroids. `zero`: 0. `infinite`: infinite, unless it is one and the same word, as in gensim.
    empty ("infinite" or "equal" or "error", default "infinite"): The distance of a text without known words.
        `infinite`: infinite. `equal`: 0 from another such text, infinite from others. `error`: it is refused.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "gensim".
Returns:
    wmd (`float`): the mean distance of the segments that have a finite one, 0 or more; lower is better. 0 means the
        same words in the same shares. There is no greatest value: it depends on the vectors.
    infinite (`int`): the segments without a finite distance, because a text has no known word. The mean leaves them
        out, and a warning counts such texts.
Examples:

    >>> import metrologue
    >>> from metrologue.representations import WordVectors
    >>> from types import SimpleNamespace
    >>> words = {"obama": [1, 0], "president": [0.9, 0.1], "speaks": [0, 1], "greets": [0.1, 0.9], "the": [0.2, 0.2]}
    >>> keyed = SimpleNamespace(index_to_key=list(words), vectors=list(words.values()))
    >>> vectors = WordVectors.of_keyed_vectors(keyed, "toy")
    >>> wmd = metrologue.load("wmd", "gensim-raw")
    >>> results = wmd.compute(predictions=["obama speaks"], references=["president greets"], vectors=vectors)
    >>> print(round(results["wmd"], 6))
    0.141421
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Wmd(MetricModule, evaluate.Metric):
    """How far words move to become those of another text."""

    metric = "wmd"
    default_variant = "gensim"
    reported = ("wmd", "infinite")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
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
        normalize=None,
        stop_words=None,
        missing=None,
        transport=None,
        all_zero=None,
        empty=None,
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
            normalize=normalize,
            stop_words=stop_words,
            missing=missing,
            transport=transport,
            all_zero=all_zero,
            empty=empty,
        )
