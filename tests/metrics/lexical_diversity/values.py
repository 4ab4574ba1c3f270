"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import LexicalDiversity
from metrologue.scorers.lexical_diversity.measures import MEASURES

VALUES = {
    "measures": ("mtld", "ttr", "msttr", "hdd"),
    "window": 3,
    "draws": 2,
    "vocd_longest": 35,
    "vocd_samples": 9,
    "vocd_runs": 1,
    "vocd_seed": 1,
    "mtld_threshold": 0.5,
    "mtld_least_length": 2,
    "mtld_bid_least_length": 3,
}
SETTINGS = {
    "lexical-diversity-mean": LexicalDiversity(window=2, draws=3, aggregation="mean", entropy_order=2),
    "lexical-diversity-moving": LexicalDiversity(
        measures=("mtld_ma_wrap", "mtld_ma_bid", "vocd_d"),
        mtld_least_length=2,
        vocd_samples=3,
        vocd_runs=1,
        vocd_longest=35,
    ),
    "lexical-diversity-counts": LexicalDiversity(
        measures=("hdd", "entropy", "vocd_d", "ttr"), draws=2, entropy_order=2
    ),
}

# As long as each other, so that no measure is better for its length.
RICH = " ".join([*map(str, range(40))] * 5)
POOR = " ".join(["the cat and the dog and"] * 30 + [*map(str, range(20))])
LADDER = {
    "rich": ([RICH], [["."]]),
    "poor": ([POOR], [["."]]),
    "one word": (["a " * 200], [["."]]),
}
FURTHER = [([text], [["."]]) for text in ("", "a b a", "a a", "a " * 9999, " ".join(map(str, range(2000))))]
REPORTING = [{"measures": (*MEASURES,)}]
LOOSE = {("herdan_vm", 1)}
