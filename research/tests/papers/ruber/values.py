"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against
from small_encoder import Letters

VALUES = {"encoder": Letters(), "blend": "min"}

# A response after the turn before it.
LADDER = {
    "perfect": against("the cat\nthe cat", "the cat", times=60),
    "near": against("the cat\na cat", "the cat"),
    "unlike": against("the cat\n-cat", "cat", times=60),
}
