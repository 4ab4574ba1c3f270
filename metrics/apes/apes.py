"""APES for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
APES is the share of questions about the entities of reference summaries that a reader answers from a summary.
"""

_INPUTS = """
Args:
    predictions (list[str]): the summaries to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several, which ask all their
        questions.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of right answers alone.
    parser (parser, pipeline or file, default None): What finds entities: the name of a pipeline of spaCy, its folder, a
        file in CoNLL-U whose last column has them, or a parser of `metrologue.representations.parses`. None: numbers,
        dates, and words with a capital inside of a sentence.
    kinds (list of "name" or "number" or "date", default ["name", "number", "date"]): Which entities are asked for.
        `name`: people, places, organizations, and other things with a name of their own. `number`: numbers, amounts and
        ranks. `date`: dates and times.
    reader ("model" or "lexical", default "model"): What answers the questions. `model`: the trained model. `lexical`: a
        rule: the entity near to which most words of the question stand; ties: the first.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. The rule does not need it.
    window (int, default 10): How many tokens away a word is near to an entity, for the rule.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    apes (`float`): 0 to 1, the share of the questions that are answered right; higher is better. It is 0 if there are
        no questions.
    lexical (`float`): 0 to 1, the share that the rule answers right; higher is better. It is the rival.
    present (`float`): 0 to 1, the share of the questions whose answer the summary has; higher is better. No reader can
        be above it.
    correct (`int`): the questions that are answered right.
    questions (`int`): all questions.
Examples:

    >>> import metrologue
    >>> apes = metrologue.load("apes", "lexical")
    >>> results = apes.compute(
    ...     predictions=["Later Anna met Bo.", "Nothing is said here."],
    ...     references=["Yesterday Anna met Bo in Rome.", "They saw Clara and Dan there."],
    ... )
    >>> print(results["apes"], results["correct"], results["questions"])
    0.4 2 5
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Apes(MetricModule, evaluate.Metric):
    """Questions about entities that a text answers."""

    metric = "apes"
    default_variant = "metrologue"
    reported = ("apes", "lexical", "present", "correct", "questions")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/mataney/APES"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        parser=None,
        kinds=None,
        reader=None,
        model=None,
        window=None,
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
            parser=parser,
            kinds=kinds,
            reader=reader,
            model=model,
            window=window,
        )
