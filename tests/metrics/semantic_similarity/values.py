"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_encoder import Letters

VALUES = {"model": Letters()}
