"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

UNANSWERED = (("perfect", "cat sat", ""), ("near", "cat", "cat"), ("unlike", "dog", "dog"))
LADDER = {name: ([one, other], [["cat sat"], [""]]) for name, one, other in UNANSWERED}
