"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel

from metrologue.language_models import FunctionModel
from metrologue.scorers.fed.follow_ups import QUALITIES as FOLLOW_UPS

VALUES = {"model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0), "last_turns": 2}

# A model that expects good follow-ups of a good conversation only, and bad ones of a bad one.
GOOD_FOLLOW_UPS = tuple(text for each in FOLLOW_UPS["both"].values() for text in each.good)


def mood(text: str) -> list[tuple[str, float]]:
    fits = text.endswith(GOOD_FOLLOW_UPS) == text.lstrip().startswith("good")
    return [(word, 0.0 if fits else -9.0) for word in text.split()]


MOOD = FunctionModel("mood", lambda texts: [mood(text) for text in texts], "1")
LADDER = {name: ([name] * times, [["."]] * times) for name, times in (("good", 40), ("bad", 1))}
REPORTING = [{"model": MOOD}]
