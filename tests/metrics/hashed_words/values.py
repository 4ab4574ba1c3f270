"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

LADDER = {
    "certain": (["a:1"], [["a"]]),
    "half": (["a:0.5 b:0.5"], [["a"]]),
    "low": (["a:0.001 b:0.999"], [["a"]]),
    "impossible": (["a:1"], [["b"]]),
}
