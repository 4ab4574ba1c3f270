"""Meta-evaluation: how well metrics agree with people.

``read_judgements`` reads texts that people rated, and ``meta_evaluate`` correlates the scores of metrics with the
ratings, for each quality, with intervals. It says which metrics are the best, how well the annotators agree, and what
each part of a combination adds. ``metrologue meta`` does the same on the command line.

It may import attribution and what stands below it.
"""

from metrologue.data.judgements import Gap, Judgements, Ratings
from metrologue.meta.annotators import MEASURES, AnnotatorAgreement, agreeing, agreement_of
from metrologue.meta.averages import AverageCorrelations, average_correlations
from metrologue.meta.corpora import READERS, read_judgements
from metrologue.meta.evaluation import JUDGES, METHODS, MetaEvaluation, meta_evaluate
from metrologue.meta.ranking import TESTS, Ranking
from metrologue.meta.scores import REFERENCE_RULES, Scored, with_scores_from
from metrologue.meta.systems import SYSTEM_SCORES

__all__ = [
    "JUDGES", "MEASURES", "METHODS", "READERS", "REFERENCE_RULES", "SYSTEM_SCORES", "TESTS",
    "AnnotatorAgreement",
    "AverageCorrelations", "Gap", "Judgements", "MetaEvaluation", "Ranking", "Ratings", "Scored", "agreeing",
    "agreement_of", "average_correlations", "meta_evaluate",
    "read_judgements", "with_scores_from",
]  # fmt: skip
