"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against
from papers.ruber.values import LADDER as ANSWERS

VALUES = {"last_turns": 2}

LADDER = {**ANSWERS, "unlike": against("cat\n-cat", "cat", times=60)}
