"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import EditDistance

VALUES = {"transpositions": "any", "beam": 3, "max_length": 100, "normalization": "sum"}
SETTINGS = {
    "edit-distance-costs": EditDistance(
        insertion_cost=0.5, deletion_cost=2.0, transpositions="any", multi_reference="mean", normalization="longer"
    ),
    "edit-distance-corpus": EditDistance(normalization="sum", aggregation="corpus", tokenizer="graphemes", beam=2),
}

REPORTING = [{}, {"normalization": "maximum"}, {"normalization": "reference"}]
