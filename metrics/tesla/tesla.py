"""TESLA-M for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
TESLA-M is how much of the weight of the n-grams of a text and its reference matches, where synonyms and words of the
same part of speech match in part, and function words weigh little.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The score of a text that equals its reference.
    multi_reference ("mean" or "best", default "mean"): How several references join. `mean`: the mean of their scores.
        `best`: the one with the best score; ties: the first.
    tokenizer (str or function, default "13a"): One of `metrologue.tokenizers.list_tokenizers()`. It plays no part with
        a parser, which has its own tokens.
    lowercase (bool, default True): Whether to apply `str.lower()` to words and lemmas first.
    units ("words" or "lemmas", default "words"): What words are compared by. By default lemmas if there is a parser,
        otherwise words. `words`: words as they are spelled; none has a part of speech or is a function word. `lemmas`:
        the parser's lemmas and parts of speech; there is no score without a parser.
    parser (parser, pipeline or file, default None): What gives lemmas and parts of speech: the name of a pipeline of
        spaCy, or its folder; a file of parses in CoNLL-U; or a parser of `metrologue.representations.parses`.
    tagset ("own" or "universal", default "own"): Which parts of speech are compared. `own`: the parser's own tags, such
        as NNS. `universal`: universal tags, such as NOUN.
    synonyms (str, default None): "wordnet", "meteor-1.5" (its tables, from WordNet 3.0), or a table of your own. None:
        there are none.
    function_tags (list of str, default ["CC", "DT", "EX", "IN", "MD", "PDT", "POS", "PRP", "PRP$", "RP", "TO", "WDT",
        "WP", "WP$", "WRB", ".", ",", ":", "`", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "SYM", "ADP", "AUX", "CCONJ",
        "DET", "PART", "PRON", "PUNCT", "SCONJ"]): The tags of function words, among the parser's own tags and universal
        tags.
    function_weight (float, default 0.1): The factor by which a function word lowers the weight of an n-gram. Weights
        have nine decimals.
    similarities (list of "basic" or "synonyms" or "lemmas" or "tags", default ["basic"]): The similarities of words. If
        there are several, the score is the mean over them. `basic`: 1 for the same lemma; otherwise 0.5 for synonyms
        and 0.5 for the same part of speech, added up. `synonyms`: 1 for the same lemma, 0.5 for synonyms. `lemmas`: 1
        for the same lemma. `tags`: 1 for the same part of speech.
    max_order (int, default 3): Longest n-gram; the shortest is 1.
    short_texts ("skip" or "zero", default "skip"): The score of an order of which one of both texts has no n-gram.
        `skip`: it is left out of the mean; if no order is left, the pair scores 0. `zero`: it is 0.
    alpha (float, default 0.8): The weight of the recall; that of precision is the rest.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "words".
Returns:
    tesla (`float`): the mean of the scores of the segments, 0 to 1; higher is better. A text that equals its reference
        scores 1.
    precision (`float`): the mean of the precisions, 0 to 1.
    recall (`float`): the mean of the recalls, 0 to 1.
Examples:

    >>> import metrologue
    >>> tesla = metrologue.load("tesla")
    >>> predictions = ["the cat sat on a mat", "a dog barked"]
    >>> references = [["the cat sat on the mat", "a cat was on the mat"], ["the dog barked"]]
    >>> results = tesla.compute(predictions=predictions, references=references)
    >>> print({name: round(value, 4) for name, value in results.items()})
    {'tesla': 0.425, 'precision': 0.425, 'recall': 0.425}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Tesla(MetricModule, evaluate.Metric):
    """n-grams that match softly, by lemmas and synonyms."""

    metric = "tesla"
    default_variant = "words"
    reported = ("tesla", "precision", "recall")

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
        units=None,
        parser=None,
        tagset=None,
        synonyms=None,
        function_tags=None,
        function_weight=None,
        similarities=None,
        max_order=None,
        short_texts=None,
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
            units=units,
            parser=parser,
            tagset=tagset,
            synonyms=synonyms,
            function_tags=function_tags,
            function_weight=function_weight,
            similarities=similarities,
            max_order=max_order,
            short_texts=short_texts,
            alpha=alpha,
        )
