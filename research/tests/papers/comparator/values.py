"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against

FURTHER = [against("the cats and the dogs " * 9, "x")]
