"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from layouts import Columns

from metrologue.scorers import Sari

VALUES = {"zero_division": 0.0}
SETTINGS = {
    "sari-f1": Sari(shares="mean", counted_references="long", use_f1_for_deletion=True, use_paper_version=True),
    "sari-legacy": Sari.variant("easse", legacy=True, max_order=2, binary=True),
}

SOURCE = "a b c d e f g h"


def simplified(prediction: str, reference: str = "a b c d x y z w", times: int = 1) -> Columns:
    """By default, the reference keeps one half of its source and replaces the other."""
    return {"predictions": [prediction] * times, "references": [reference] * times, "sources": [SOURCE] * times}


LADDER = {
    "perfect": simplified("a b c d x y z w"),
    "copy": simplified(SOURCE),
    "other half": simplified("e f g h q r s t"),
    "all replaced": simplified("q r s t u", f"{SOURCE} x y z w"),
}
