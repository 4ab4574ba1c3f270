"""Other values of the fields, which the tests of all metrics cannot derive."""

from ladders import against

from metrologue.representations import FunctionSequence
from metrologue.scorers.unieval.questions import TASKS

VALUES = {"model": FunctionSequence("even", lambda source, target: [-1.0], "1"), "dimensions": ("relevance",)}

# Two sentences that say what their source says, one that does, none.
LADDER = {
    "perfect": against("the cat sat. the cat sat.", "the cat sat."),
    "near": against("the cat sat. a zzz.", "the cat sat."),
    "unlike": against("zzz. kkk.", "the cat sat."),
    "empty": against("", "the cat sat."),
}
REPORTING = [{"task": task, "sentences": "marks"} for task in TASKS]
