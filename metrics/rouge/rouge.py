"""ROUGE for `evaluate`: the Hub's `rouge`, number for number, and every other library's ROUGE by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
ROUGE compares a text with its references by what they share: n-grams (ROUGE-N), a longest common subsequence (ROUGE-L,
ROUGE-Lsum, ROUGE-W) or skip-bigrams, which are pairs of words with a gap between them (ROUGE-S, ROUGE-SU). Libraries
differ in tokens, stems, sentences, several references and the average; `config_name` chooses the library.
"""

_CITATION = """
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    address = "Barcelona, Spain",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W04-1013",
    pages = "74--81"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score; for rougeLsum, each line of a text is a sentence.
    references: list of texts, or list of lists of texts if a prediction has several references.
    rouge_types: list of types: "rouge1", "rouge2" and so on, "rougeL", "rougeLsum", "rougeW", "rougeS4" or "rougeSU4"
        with any gap, "rougeS*", "rougeSU*".
    use_aggregator: True gives one number for each type, False a list with one number for each prediction.
    use_stemmer: whether to compare stems of words; it has no effect if a tokenizer is given.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", precision, recall and F-measure of each type for each prediction.

    An argument that is left out has the variant's value. Resampling uses the `seed` that `evaluate.load` was given.
    Without one, it uses the variant's seed, which is fixed.
Returns:
    the F-measure of each type, under the type's name.
Examples:

    >>> import metrologue
    >>> rouge = metrologue.load("rouge")
    >>> predictions = ["the gunman kill police", "it was unexpected"]
    >>> references = [["police killed the gunman", "the police killed the gunman"], ["it was not expected"]]
    >>> results = rouge.compute(predictions=predictions, references=references)
    >>> list(results)
    ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']
    >>> rouge.compute(predictions=predictions, references=references, rouge_types=["rougeL"], use_aggregator=False)
    {'rougeL': [0.5, 0.5714285714285715]}
"""

# The script has its own stemmer. All other variants use nltk's.
_STEMMERS = {"rouge-1.5.5": "porter-1.5.5"}


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Rouge(MetricModule, evaluate.Metric):
    """ROUGE with the arguments and the result of the Hub's module of this name."""

    metric = "rouge"
    default_variant = "evaluate"
    renamed = (("types", "rouge_types"), ("stemmer", "use_stemmer"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/google-research/google-research/tree/master/rouge"],
            reference_urls=["https://aclanthology.org/W04-1013"],
        )

    def _compute(
        self,
        predictions,
        references,
        rouge_types=None,
        use_aggregator=True,
        use_stemmer=False,
        tokenizer=None,
        signature=False,
        per_segment=False,
    ):
        # rouge_score's stemmer is a part of its own tokenizer.
        stems = use_stemmer and tokenizer is None
        average = {"seed": self.given_seed} if use_aggregator else {"aggregation": "mean"}
        with self._chosen(
            types=rouge_types,
            stemmer=_STEMMERS.get(self.config_name, "porter") if stems else None,
            tokenizer=tokenizer,
            **average,
        ) as scorer:
            scores, extras = self._score(scorer, predictions, references, signature, per_segment or not use_aggregator)
        if not use_aggregator:
            scores = extras["segments"] if per_segment else extras.pop("segments")
        return {**{kind: scores[f"{kind}_fmeasure"] for kind in scorer.types}, **extras}
