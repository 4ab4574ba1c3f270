"""The metrics. Each is a frozen dataclass, and its fields are the choices that libraries make.

A metric is imported when it is first used.
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred
from metrologue.scorers.rooms import ROOMS

if TYPE_CHECKING:
    from metrologue.scorers.adem import Adem
    from metrologue.scorers.apes import Apes
    from metrologue.scorers.bertscore import BertScore
    from metrologue.scorers.bleu import Bleu
    from metrologue.scorers.bleurt import Bleurt
    from metrologue.scorers.chrf import Chrf
    from metrologue.scorers.cider import Cider
    from metrologue.scorers.classification import F1, Accuracy, ConfusionMatrix, Precision, Recall
    from metrologue.scorers.compact_reward import CompactReward
    from metrologue.scorers.comparator import Comparator
    from metrologue.scorers.composite import Composite
    from metrologue.scorers.core.options import Choice, Option
    from metrologue.scorers.core.registry import get_scorer, list_scorers, make_scorer, pairwise, score
    from metrologue.scorers.core.result import Result
    from metrologue.scorers.core.scorer import Scorer
    from metrologue.scorers.core.shapes import PairScorer, SetScorer
    from metrologue.scorers.core.totals import Totals
    from metrologue.scorers.core.variants import Variant
    from metrologue.scorers.dae import Dae
    from metrologue.scorers.dice import Dice
    from metrologue.scorers.distinct_n import DistinctN
    from metrologue.scorers.edit_distance import EditDistance
    from metrologue.scorers.entity_recall import EntityRecall
    from metrologue.scorers.error_rates import (
        CharacterErrorRate,
        MatchErrorRate,
        WordErrorRate,
        WordInformationLost,
        WordInformationPreserved,
    )
    from metrologue.scorers.esim import Esim
    from metrologue.scorers.exact_match import ExactMatch
    from metrologue.scorers.factcc import FactCC
    from metrologue.scorers.fed import Fed
    from metrologue.scorers.fined_eval import FinedEval
    from metrologue.scorers.google_bleu import GoogleBleu
    from metrologue.scorers.gtm import Gtm
    from metrologue.scorers.hashed_words import LikelihoodHashed, LogLossHashed, PerplexityHashed
    from metrologue.scorers.hlepor import Hlepor
    from metrologue.scorers.huse import Huse
    from metrologue.scorers.lexical_diversity import LexicalDiversity
    from metrologue.scorers.masi import Masi
    from metrologue.scorers.meant import Meant
    from metrologue.scorers.meteor import Meteor
    from metrologue.scorers.moverscore import MoverScore
    from metrologue.scorers.nist_mt import Nist, NistMt
    from metrologue.scorers.nli_faithfulness import NliFaithfulness
    from metrologue.scorers.nneval import NNEval
    from metrologue.scorers.peak import Peak
    from metrologue.scorers.perception_score import PerceptionScore
    from metrologue.scorers.pyramid import Pyramid
    from metrologue.scorers.ribes import Ribes
    from metrologue.scorers.rouge import Rouge
    from metrologue.scorers.rouge_we import RougeWe
    from metrologue.scorers.ruber import Ruber
    from metrologue.scorers.ruse import Ruse
    from metrologue.scorers.self_bleu import SelfBleu
    from metrologue.scorers.semantic_similarity import SemanticSimilarity
    from metrologue.scorers.smd import Smd
    from metrologue.scorers.spice import Spice
    from metrologue.scorers.ter import Ter
    from metrologue.scorers.tesla import Tesla
    from metrologue.scorers.tesla_celab import TeslaCelab
    from metrologue.scorers.token_f1 import TokenF1
    from metrologue.scorers.token_probabilities import CrossEntropy, Likelihood, Perplexity
    from metrologue.scorers.usr import Usr
    from metrologue.scorers.wmd import Wmd
    from metrologue.scorers.yisi import Yisi

__all__ = [
    "F1",
    "Accuracy",
    "Adem",
    "Apes",
    "BertScore",
    "Bleu",
    "Bleurt",
    "CharacterErrorRate",
    "Choice",
    "Chrf",
    "Cider",
    "CompactReward",
    "Comparator",
    "Composite",
    "ConfusionMatrix",
    "CrossEntropy",
    "Dae",
    "Dice",
    "DistinctN",
    "EditDistance",
    "EntityRecall",
    "Esim",
    "ExactMatch",
    "FactCC",
    "Fed",
    "FinedEval",
    "GoogleBleu",
    "Gtm",
    "Hlepor",
    "Huse",
    "LexicalDiversity",
    "Likelihood",
    "LikelihoodHashed",
    "LogLossHashed",
    "Masi",
    "MatchErrorRate",
    "Meant",
    "Meteor",
    "MoverScore",
    "NNEval",
    "Nist",
    "NistMt",
    "NliFaithfulness",
    "Option",
    "PairScorer",
    "Peak",
    "PerceptionScore",
    "Perplexity",
    "PerplexityHashed",
    "Precision",
    "Pyramid",
    "Recall",
    "Result",
    "Ribes",
    "Rouge",
    "RougeWe",
    "Ruber",
    "Ruse",
    "Scorer",
    "SelfBleu",
    "SemanticSimilarity",
    "SetScorer",
    "Smd",
    "Spice",
    "Ter",
    "Tesla",
    "TeslaCelab",
    "TokenF1",
    "Totals",
    "Usr",
    "Variant",
    "Wmd",
    "WordErrorRate",
    "WordInformationLost",
    "WordInformationPreserved",
    "Yisi",
    "get_scorer",
    "list_scorers",
    "make_scorer",
    "pairwise",
    "score",
]

# The modules of the names that are not metrics.
_CORE = {
    "Choice": "options",
    "Option": "options",
    "PairScorer": "shapes",
    "Result": "result",
    "Scorer": "scorer",
    "SetScorer": "shapes",
    "Totals": "totals",
    "Variant": "variants",
    "get_scorer": "registry",
    "list_scorers": "registry",
    "make_scorer": "registry",
    "pairwise": "registry",
    "score": "registry",
}

__getattr__ = deferred(
    __name__,
    {kind: f"{__name__}.{room}" for room, kind in ROOMS.values()}
    | {name: f"{__name__}.core.{module}" for name, module in _CORE.items()}
    | {"Nist": f"{__name__}.nist_mt"},
)


def __dir__() -> list[str]:
    return __all__
