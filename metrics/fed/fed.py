"""FED for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
FED scores a dialogue, or a response in it, by how probable a language model finds what people say after a good or a bad
one.
"""

_INPUTS = """
Args:
    predictions (list[str] or list[list[str]]): responses; or whole dialogues, each a list of its turns, or a text whose
        lines are its turns.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): A factor of the scores.
    model (model or path, default None): The causal language model, or the name of one in use, as a signature has it.
        There is no score without one.
    separator ("end-of-text" or "newline", default "end-of-text"): What stands between two turns. `end-of-text`:
        DialoGPT's " <|endoftext|> ", with a space before the first turn, as in the program. `newline`: the end of a
        line.
    last_turns (int, default None): How many of the last turns of a conversation the model reads; all of them if it is
        left out.
    level ("turn" or "dialogue" or "both", default "both"): The qualities that are reported. `turn`: the eight of a
        turn. `dialogue`: the ten of a dialogue. `both`: all 18.
    likelihood ("conversation" or "follow-up" or "sum", default "conversation"): What the log-probability of a follow-up
        is. `conversation`: the mean over all tokens of the conversation and the follow-up, as in the program.
        `follow-up`: the mean over the tokens of the follow-up. `sum`: the sum over the tokens of the follow-up.
    join ("mean" or "sum", default "mean"): How several follow-ups of one side are joined. `mean`: by their mean. `sum`:
        by their sum.
    contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left out,
        and may be empty.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "authors".
Returns:
    fed (`float`): the mean of the qualities that are reported; higher is better. There is no limit. Scores of different
        models are not comparable.
    interesting, engaging, specific, relevant, correct, semantically_appropriate, understandable, fluent (`float`): the
        qualities of the last turn. Those without good utterances (relevant, correct) are 0 or more, as are the first
        five of the next and `understand`.
    coherent, error_recovery, consistent, diverse, depth, likeable, understand, flexible, informative, inquisitive
        (`float`): the qualities of the dialogue.
    segments (`int`): the number of conversations.
Examples:

    >>> import metrologue
    >>> from metrologue.language_models import FunctionModel
    >>> def words(text):
    ...     said = text.lower().split()
    ...     return [(word, -1.0 if word in said[:at] else -5.0) for at, word in enumerate(said)]
    >>> again = FunctionModel("again", lambda texts: [words(text) for text in texts], "1")
    >>> fed = metrologue.load("fed")
    >>> dialogue = ["I sold a cat.", "Really? Tell me more!"]
    >>> results = fed.compute(predictions=[dialogue], model=again, level="turn")
    >>> print(round(results["engaging"], 4))
    0.1706
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Fed(MetricModule, evaluate.Metric):
    """What people would say next in a dialogue."""

    metric = "fed"
    default_variant = "authors"
    reported = None

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/Shikib/fed"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        aggregation=None,
        scale=None,
        model=None,
        separator=None,
        last_turns=None,
        level=None,
        likelihood=None,
        join=None,
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
            separator=separator,
            last_turns=last_turns,
            level=level,
            likelihood=likelihood,
            join=join,
        )
