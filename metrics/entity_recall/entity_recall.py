"""Entity recall for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Entity recall is the share of the names, numbers and dates of the references that a text has too. Its precision is the
share of those of the text that the references have.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): the references, or the sources of summaries: one for each prediction, or
        a list for each. The lists may differ in length.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("pooled" or "best", default "pooled"): Which of several references counts. `pooled`: the counts of
        all references are added up. `best`: the one with the best recall; one without names comes last, ties: the
        first.
    parser (parser, pipeline or file, default None): The parser that marks entities: the name or the folder of a
        pipeline of spaCy, a file in CoNLL-U, or a parser of `metrologue.representations.parses`. Without one, a rule
        finds names and numbers.
    kinds ("all" or "names" or "numbers", default "all"): What is looked for. `all`: names, numbers and dates. `names`:
        names alone. `numbers`: numbers and dates.
    unit ("word" or "any" or "whole", default "word"): What is counted of a name. `word`: each word of a name counts,
        and the other text has it or not. `any`: a name counts once, and one of its words is enough, but none such as
        'of'. `whole`: a name counts once, and the other text must have all its words next to each other.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    entity_recall (`float`): the share of the names and numbers of the references that the texts have, 0 to 1; higher is
        better.
    precision (`float`): the share of those of the texts that the references have, 0 to 1; higher is better.
    f1 (`float`): the harmonic mean of both, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> entity_recall = metrologue.load("entity_recall")
    >>> summaries = ["In 2015 Anna Smith left Rome.", "Bo Jones paid 7 euros."]
    >>> sources = ["They say that Anna left in 2015.", "On Monday Bo Jones paid 5 euros."]
    >>> results = entity_recall.compute(predictions=summaries, references=sources)
    >>> print({name: round(value, 4) for name, value in results.items()})
    {'entity_recall': 0.6667, 'precision': 0.5, 'f1': 0.5714}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EntityRecall(MetricModule, evaluate.Metric):
    """Names and numbers that a text shares with its source."""

    metric = "entity_recall"
    default_variant = "metrologue"
    reported = ("entity_recall", "precision", "f1")

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
        parser=None,
        kinds=None,
        unit=None,
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
            parser=parser,
            kinds=kinds,
            unit=unit,
        )
