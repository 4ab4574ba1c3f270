"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel
from small_vectors import OTHERS, WORDS

from metrologue.language_models import FunctionModel

VALUES = {
    "model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0),
    "context_encoder": OTHERS,
    "fact_encoder": WORDS,
    "means": (0.0, 1.0, 2.0),
    "deviations": (1.0, 2.0, 3.0),
    "weights": (1.0, 1.0, 1.0),
}

# A response that says its context again, and one that says the opposite, for a model that expects what was said.
ECHO = FunctionModel(
    "echo",
    lambda texts: [[(w, 0.0 if text.split().count(w) > 1 else -9.0) for w in text.split()] for text in texts],
    "1",
)
LADDER = {"same": (["cat\ncat"] * 40, [["."]] * 40), "opposite": (["cat\n-cat"], [["."]])}
REPORTING = [
    {
        "model": ECHO,
        "form": "plain",
        "likelihood": "response",
        "means": (0,) * 3,
        "deviations": (1,) * 3,
        "weights": (1,) * 3,
        "intercept": 0,
    }
]
