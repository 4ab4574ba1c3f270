"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

LADDER = {
    "perfect": (["B-PER I-PER"], [["B-PER I-PER"]]),
    "near": (["B-PER I-PER B-LOC"], [["B-PER I-PER O"]]),
    "wrong": (["O B-LOC"], [["B-PER I-PER"]]),
}
