"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import CLAUSES

VALUES = {"parser": CLAUSES, "average": "exact", "ideal": "both"}

LADDER = {
    "perfect": (["a | b | c; d | e | f"], [["a | b | c; d | e | f"]]),
    "near": (["a | b | c; x | e | f"], [["a | b | c; d | e | f; g | h | i"]]),
    "unlike": (["x | y | z"], [["a | b | c"]]),
    "empty": ([""], [["a | b | c"]]),
}
FURTHER = [(["a | b | c; d | e | f"], [["a | b | c", "d | e | f"]])]
