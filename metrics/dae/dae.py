"""DAE for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
DAE says how probably each dependency arc of a text, a word with the word on which it depends, follows from its source.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): the source of each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a probability of 1.
    multi_reference ("best" or "mean", default "best"): Which of several sources counts. `best`: the one with the best
        score; ties: the first. `mean`: the mean of the scores with each.
    parser (parser, pipeline or file, default None): What parses texts: the name of a pipeline of spaCy, its folder, a
        file in CoNLL-U, or a parser of `metrologue.representations.parses`. It gives heads and relations, and perhaps
        lemmas. None: no parser, and pairs of neighbouring words are the arcs (`WordParser`).
    left_out (list of str, default ["ROOT", "aux", "auxpass", "case", "cop", "dep", "det", "mark", "punct", "root"]):
        The relations whose arcs do not count, as in the authors' program. `aux` also stands for `aux:pass`.
    max_arcs (int, default 20): So many arcs of a text count, the first ones.
    entailment ("model" or "overlap", default "model"): Where the probability of an arc comes from. `model`: the trained
        model. `overlap`: it is 1 if the source's parse has an arc of the same two lemmas, otherwise 0.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. It plays no part in `overlap`.
    pooling ("mean" or "min", default "mean"): What the score of a text is made of. `mean`: the mean over its arcs.
        `min`: the least probability of an arc.
    empty ("skip" or "one" or "error", default "skip"): A text without arcs, for which the authors' program gives no
        number. `skip`: it has no part in the mean of a corpus; its own score is 0. `one`: it scores 1: it says nothing
        that could be wrong. `error`: it is refused.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    dae (`float`): 0 to 1, the mean probability that the arcs follow from the source; higher is better. It is 0 if no
        text has an arc.
    arc_overlap (`float`): 0 to 1, the share of the arcs that the source's parse has: two words with these lemmas, one
        the head of the other. Higher is better. It is the rival.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> dae = metrologue.load("dae")
    >>> model = sample_model("dae")
    >>> texts, sources = ["A cat slept on the sofa.", "A dog sold the car."], ["The cat slept on a sofa."] * 2
    >>> results = dae.compute(predictions=texts, references=sources, model=model, per_segment=True)
    >>> print([round(value, 1) for value in results["segments"]["dae"]])
    [1.0, 0.1]
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Dae(MetricModule, evaluate.Metric):
    """Which parts of a text follow from its source."""

    metric = "dae"
    default_variant = "metrologue"
    reported = ("dae", "arc_overlap")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/tagoyal/dae-factuality"],
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
        left_out=None,
        max_arcs=None,
        entailment=None,
        model=None,
        pooling=None,
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
            parser=parser,
            left_out=left_out,
            max_arcs=max_arcs,
            entailment=entailment,
            model=model,
            pooling=pooling,
            empty=empty,
        )
