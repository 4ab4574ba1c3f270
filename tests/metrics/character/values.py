"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against

FURTHER = [against("c d a b g h e f", "a b c d e f g h")]
