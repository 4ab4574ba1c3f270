"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Bleu

VALUES = {
    "weights": (0.1, 0.2, 0.3, 0.4),
    "reference_length": "average",
    "smoothing": "add-k",
    "smooth_value": 2.0,
    "precision_weight": 0.25,
    "epsilons": (1e-9, 1e-9),
    "zero_when": "never",
}
SETTINGS = {
    "bleu-average-length": Bleu(reference_length="average", lowercase=True),
    "bleu-longest-length": Bleu(reference_length="longest", weights=(0, 0, 0.25), smoothing="chen-cherry-4"),
    "bleu-mean": Bleu.variant("nltk", aggregation="mean", smoothing="chen-cherry-7"),
}
