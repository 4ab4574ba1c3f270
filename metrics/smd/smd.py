"""Sentence Mover's Similarity for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Sentence Mover's Similarity says how far the sentences of a text must move, in a space of word vectors, to become the
sentences of its reference.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' similarities.
    scale (float, default 1.0): The score of a text that equals its reference.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "13a"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default True): Whether to apply `str.lower()` first.
    vectors (encoder, path or name, default None): The word vectors: a file of GloVe, word2vec or fastText, a
        `WordVectors`, or the name of one in use, as a signature has it. There is no score without them.
    normalize (bool, default False): Whether a vector is divided by its length first.
    stop_words (str, default None): The words that are left out: "sklearn", "spacy", "nltk" or "rouge-1.5.5", where
        these are installed, or a list of your own. None: no word is.
    missing ("drop" or "zero" or "error", default "zero"): What happens to a word without a vector. `drop`: it is left
        out. `zero`: its vector is all zeros. `error`: it is refused.
    sentences ("none" or "newline" or "period" or "punkt", default "punkt"): What ends a sentence. `none`: nothing, so
        that a text is one sentence. `newline`: a line end. `period`: a period. `punkt`: what nltk's English model of
        sentence ends finds.
    letters (bool, default True): Whether words with anything else than letters are left out.
    bag ("sentences" or "words" or "both", default "sentences"): What moves. `sentences`: sentences (SMS). `words`:
        words (WMS). `both`: words and sentences, which have half of the weight each (S+WMS).
    empty ("zero" or "equal" or "error", default "zero"): The similarity of a text without known words. `zero`: 0.
        `equal`: 1 to another such text, 0 to others. `error`: it is refused.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "sms".
Returns:
    smd (`float`): the mean similarity, 0 to 1; higher is better. 1 means that the same sentences have the same weights.
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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Smd(MetricModule, evaluate.Metric):
    """How far sentences move to become those of another text."""

    metric = "smd"
    default_variant = "sms"
    reported = ("smd", "distance", "infinite")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/eaclark07/sms"],
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
        sentences=None,
        letters=None,
        bag=None,
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
            sentences=sentences,
            letters=letters,
            bag=bag,
            empty=empty,
        )
