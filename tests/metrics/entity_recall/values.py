"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against
from needs import CLAUSES

VALUES = {"parser": CLAUSES}

LADDER = {
    "perfect": against("then Anna left in 2015", "then Anna left in 2015"),
    "near": against("then Anna and Bo left", "then Anna left in 2015"),
    "unlike": against("then Bo left in 2014", "then Anna left in 2015"),
}
