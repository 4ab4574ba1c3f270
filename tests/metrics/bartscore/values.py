"""Other values of the fields, which the tests of all metrics cannot derive."""

from metrologue.representations import FunctionSequence

VALUES = {"model": FunctionSequence("even", lambda source, target: [-1.0], "1")}

REPORTING = [{"direction": "f"}]
