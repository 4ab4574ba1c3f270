"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrics.sari.values import LADDER as LADDER
