"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

LADDER = {
    "different": (["a", "b"], [["."]] * 2),
    "half": (["a", "a", "b"], [["."]] * 3),
    "all": (["a"] * 99, [["."]] * 99),
}
