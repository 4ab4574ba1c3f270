"""UniEval's questions: what its models were trained to answer, as the authors' program spells them.

Source: ``add_question`` in ``utils.py``, and ``metric/evaluator.py``, of https://github.com/maszhongming/UniEval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["TASKS", "Question"]


class Question(NamedTuple):
    """A question about a text.

    Attributes
    ----------
    asked : str
        The question itself.
    reads : tuple of (str, str)
        What follows it: the name that the question has for a text, and the input that the text is from.
    each : str
        "" for the whole text; "mean" or "sum" if it is asked of each sentence, for what joins the answers.
    """

    asked: str
    reads: tuple[tuple[str, str], ...]
    each: str = ""

    def spelled(self, texts: Mapping[str, str]) -> str:
        """The question with these texts, by the names of their inputs.

        Examples
        --------
        >>> TASKS["data2text"]["naturalness"].spelled({"predictions": "It rains."})
        'question: Is this a fluent utterance? </s> utterance: It rains.'
        """
        return " </s> ".join([f"question: {self.asked}", *(f"{name}: {texts[column]}" for name, column in self.reads)])


_DOCUMENT, _REFERENCE = ("document", "sources"), ("reference", "references")
_HISTORY, _FACT = ("dialogue history", "sources"), ("fact", "facts")
_RESPONSE = ("response", "predictions")
_CONSISTENT = Question(
    "Is this claim consistent with the document?", (("claim", "predictions"), _DOCUMENT), each="mean"
)
# fmt: off
TASKS: Mapping[str, Mapping[str, Question]] = {
    "summarization": {
        "coherence": Question(
            "Is this a coherent summary to the document?", (("summary", "predictions"), _DOCUMENT)
        ),
        "consistency": _CONSISTENT,
        "fluency": Question("Is this a fluent paragraph?", (("paragraph", "predictions"),), each="mean"),
        "relevance": Question(
            "Is this summary relevant to the reference?", (("summary", "predictions"), _REFERENCE)
        ),
    },
    "dialogue": {
        "naturalness": Question("Is this a natural response in the dialogue?", (_RESPONSE,)),
        "coherence": Question("Is this a coherent response given the dialogue history?", (_RESPONSE, _HISTORY)),
        "engagingness": Question(
            "Is this an engaging and informative response according to the dialogue history and fact?",
            (_RESPONSE, _HISTORY, _FACT), each="sum",
        ),
        "groundedness": Question("Is this response consistent with knowledge in the fact?", (_RESPONSE, _FACT)),
        "understandability": Question("Is this an understandable response in the dialogue?", (_RESPONSE,)),
    },
    "data2text": {
        "naturalness": Question("Is this a fluent utterance?", (("utterance", "predictions"),)),
        "informativeness": Question(
            "Is this sentence informative according to the reference?", (("sentence", "predictions"), _REFERENCE)
        ),
    },
    "fact": {"consistency": _CONSISTENT},
}
# fmt: on
