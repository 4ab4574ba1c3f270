"""NLI faithfulness for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
NLI faithfulness is how probably a source entails the sentences of a text, as a model of natural language inference sees
it. It has the aggregations of three papers, one of them for texts from data.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): the source of each text, or several. For `data-to-text`, the facts of
        each text: triples such as `"Norway | capital | Oslo"`, or sentences.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a probability of 1.
    model (encoder, path or name, default None): The model of inference: a folder with a model of transformers for the
        classification of sequences whose labels are contradiction, neutral and entailment, an object with
        `judge_pairs`, such as a `FunctionEntailment`, or the name of one in use. There is no score without one.
    check ("source" or "facts", default "source"): What is checked. `source`: whether the references entail each
        hypothesis. `facts`: whether the facts and the text entail each other, which gives a verdict.
    sentences ("marks" or "newline", default "marks"): What ends a sentence. `marks`: a full stop, ! or ? before
        whitespace, or a line end. `newline`: a line end.
    hypothesis ("sentence" or "text", default "sentence"): What a hypothesis is. `sentence`: a sentence of the text.
        `text`: the whole text.
    window (int, default 1): How many sentences of a source make a premise; 0: the whole source is one.
    templates (list of str, default []): Templates of facts, such as "capital: {object} is the capital of {subject}.". A
        predicate without one has "The {predicate} of {subject} is {object}.".
    optional_facts (list of str, default []): Predicates of facts that a text may leave out.
    too_long ("error" or "cut", default "error"): What happens to a pair that is longer than the model's context.
        `error`: it is refused. `cut`: the end of the longer text is left out, and a warning counts pairs.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "falke".
Returns:
    nli_faithfulness (`float`): the mean of the segments' scores, 0 to 1; higher is better.
    entailed (`float`): the share of the hypotheses whose best premise entails them, 0 to 1.
    contradicted (`float`): the share of the hypotheses that even their best premise contradicts, 0 to 1.
    ok, hallucination, omission, hallucination_and_omission (`float`): for `data-to-text`, the shares of the verdicts, 0
        to 1.
    segments (`int`): the texts.
Examples:

    >>> import metrologue
    >>> faithfulness = metrologue.load("nli_faithfulness")
    >>> from metrologue.representations import FunctionEntailment
    >>> given = {
    ...     ("It rained.", "Rain fell."): (0.0, 0.1, 0.9), ("Bo slept.", "Rain fell."): (0.5, 0.4, 0.1),
    ...     ("It rained.", "Bo left."): (0.2, 0.5, 0.3), ("Bo slept.", "Bo left."): (0.4, 0.4, 0.2),
    ... }
    >>> model = FunctionEntailment.of_table("given", given)
    >>> texts, sources = ["Rain fell. Bo left."], ["It rained. Bo slept."]
    >>> results = faithfulness.compute(predictions=texts, references=sources, model=model)
    >>> round(results["nli_faithfulness"], 4), results["entailed"]
    (0.6, 0.5)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class NliFaithfulness(MetricModule, evaluate.Metric):
    """Does the source entail the text? By any NLI model."""

    metric = "nli_faithfulness"
    default_variant = "falke"
    reported = None

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
        model=None,
        check=None,
        sentences=None,
        hypothesis=None,
        window=None,
        templates=None,
        optional_facts=None,
        too_long=None,
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
            model=model,
            check=check,
            sentences=sentences,
            hypothesis=hypothesis,
            window=window,
            templates=templates,
            optional_facts=optional_facts,
            too_long=too_long,
        )
