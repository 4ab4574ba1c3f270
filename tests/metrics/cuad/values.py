"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

LADDER = {
    "perfect": (["the cat sat"], [["the cat sat"]]),
    "near": ([["the cat sat", "dog"]], [["the cat sat down"]]),
    "wrong": (["dog"], [["cat"]]),
}
# A column of `evaluate` holds texts: the spans of an answer are the lines of one.
OF_MODULE = {"spans": "lines"}
