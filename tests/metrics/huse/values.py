"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Huse
from metrologue.segments import Segments

VALUES = {"points": Huse().fit(Segments(["4 -8", "3 -2"], ["human", "model"])).points}

# Texts that are all alike, texts that judgements tell, and texts that only probabilities tell.
AUTHORS = [["human"], ["model"]] * 4
LADDER = {
    "alike": (["3 -2"] * 8, AUTHORS),
    "judgements": ([f"{i % 2} 0" for i in range(8)], AUTHORS),
    "probabilities": ([f"3 {-9 * (i % 2)}" for i in range(8)], AUTHORS),
}
# Judgements tell who wrote each text, but nearest to it is one by the other author, with the same probability.
FURTHER = [([f"{10 * (i // 6) + i % 2} {-(i // 2 % 3)}" for i in range(24)], AUTHORS * 3)]
REPORTING = [{"neighbors": 1, "radius": "last"}]
