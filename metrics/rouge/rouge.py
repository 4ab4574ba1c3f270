"""ROUGE for `evaluate`: the Hub's `rouge`, number for number, and every other library's ROUGE by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError  # From: -e CHECKOUT-OF-METROLOGUE

# The script has its own stemmer. All other variants use nltk's.
_STEMMERS = {"rouge-1.5.5": "porter-1.5.5"}


class Rouge(MetricModule, evaluate.Metric):
    """ROUGE with the arguments and the result of the Hub's module of this name.

    ROUGE compares a text with its references by what they share: n-grams (ROUGE-N), a longest common subsequence
    (ROUGE-L, ROUGE-Lsum, ROUGE-W) or skip-bigrams, which are pairs of words with a gap between them (ROUGE-S,
    ROUGE-SU). Libraries differ in tokens, stems, sentences, several references and the average; `config_name` chooses
    the library.

    Args:
        rouge_types: list of types: "rouge1", "rouge2" and so on, "rougeL", "rougeLsum", "rougeW", "rougeS4" or
            "rougeSU4" with any gap, "rougeS*", "rougeSU*".
        use_aggregator: True gives one number for each type, False a list with one number for each prediction.
        use_stemmer: whether to compare stems of words; it has no effect if a tokenizer is given.
        tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.text.tokenizers`).
        measures: list of "precision", "recall" and "fmeasure": gives each of them, as `rouge1_recall`.

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

    metric = "rouge"
    default_variant = "evaluate"
    hub_names = {"types": "rouge_types", "stemmer": "use_stemmer"}
    programs = ("https://github.com/google-research/google-research/tree/master/rouge",)

    def _fields(self, rouge_types=None, use_aggregator=True, use_stemmer=False, tokenizer=None, measures=None):
        if unknown := [each for each in measures or () if each not in ("precision", "recall", "fmeasure")]:
            raise InputError(f"Rouge: `measures` has {unknown[0]!r}; precision, recall and fmeasure are expected.")
        # rouge_score's stemmer is a part of its own tokenizer.
        stems = use_stemmer and tokenizer is None
        return {
            "types": rouge_types,
            "tokenizer": tokenizer,
            "stemmer": _STEMMERS.get(self.config_name, "porter") if stems else None,
            "aggregation": None if use_aggregator else "mean",
        }

    def _answer(self, scorer, segments, call):
        names = {kind: f"{kind}_fmeasure" for kind in scorer.types}
        if measures := call.hub.get("measures"):
            names = {f"{kind}_{measure}": f"{kind}_{measure}" for kind in scorer.types for measure in measures}
        if call.hub.get("use_aggregator", True):
            scores, extras = self._scored(scorer, segments, call)
        else:
            _, scores, extras = self._each(scorer, segments, call)
        return {**{name: scores[number] for name, number in names.items()}, **extras}
