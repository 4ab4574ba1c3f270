"""Corruptions: sentences with one error each, made by rules as FactCC makes them (Kryscinski et al. 2020).

A rule takes a parsed sentence and gives edits; ``make_claims`` applies the rules to many sentences. Each claim knows
where its error is, and what stood there in the sentence. A claim depends on its own sentence, its source and the seed,
and on nothing else, so texts may come in any order and company.
"""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.scorers.factcc.corruptions.claims import Claim, make_claims
    from metrologue.scorers.factcc.corruptions.edits import Edit, edited
    from metrologue.scorers.factcc.corruptions.noisy_words import noise
    from metrologue.scorers.factcc.corruptions.rules import RULES, Rule
    from metrologue.scorers.factcc.corruptions.sentences import Sentence, parsed_sentences

__all__ = ["RULES", "Claim", "Edit", "Rule", "Sentence", "edited", "make_claims", "noise", "parsed_sentences"]

_HOMES = {
    "RULES": "rules",
    "Claim": "claims",
    "Edit": "edits",
    "Rule": "rules",
    "Sentence": "sentences",
    "edited": "edits",
    "make_claims": "claims",
    "noise": "noisy_words",
    "parsed_sentences": "sentences",
}
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__
