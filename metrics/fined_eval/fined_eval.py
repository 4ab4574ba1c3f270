"""FineD-Eval for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
FineD-Eval scores a whole dialogue for its coherence, its likability and the depth of its topics, without a reference.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): whole dialogues, each a list of its turns or a text whose lines are its
        turns; or responses.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    model (trained model or folder, default None): The trained model: its folder, a `TrainedModel`, or the name of one
        in use, as a signature has it. There is no score without one.
    last_turns (int, default None): How many of the last turns of a dialogue are read; all of them if it is left out.
    contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left out,
        and may be empty.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    fined_eval (`float`): the mean of the three heads; 0 to 1, higher is better.
    coherence, likability, topic_depth (`float`): 0 to 1; higher is better. They order dialogues; a value has no meaning
        of its own.
    neighbours (`float`): the mean cosine of neighbouring turns; -1 to 1, higher is better, 0 for a single turn.
    segments (`int`): the number of dialogues.
Examples:

    >>> import metrologue
    >>> from metrologue.learned import sample_model
    >>> fined = metrologue.load("fined_eval")
    >>> model = sample_model("fined_eval")
    >>> dialogue = ["Do you like cats?", "Yes, I have two cats.", "What are their names?", "Tom and Kitty."]
    >>> other = ["Tom and Kitty.", "Yes, I have two cats.", "Do you like cats?", "What are their names?"]
    >>> results = fined.compute(predictions=[dialogue, other], model=model, per_segment=True)
    >>> one, two = results["segments"]["coherence"]
    >>> print(one > two)
    True
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class FinedEval(MetricModule, evaluate.Metric):
    """How coherent, likable and deep a dialogue is."""

    metric = "fined_eval"
    default_variant = "metrologue"
    reported = None

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/e0397123/FineD-Eval"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        model=None,
        last_turns=None,
        contexts=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            None,
            signature,
            per_segment,
            inputs={"contexts": contexts},
            aggregation=aggregation,
            scale=scale,
            model=model,
            last_turns=last_turns,
        )
