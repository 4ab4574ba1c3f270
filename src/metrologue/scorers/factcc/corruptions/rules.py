"""The rules that make an error, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from metrologue.scorers.factcc.corruptions.edits import Edit
from metrologue.scorers.factcc.corruptions.negation import add_negation, remove_negation
from metrologue.scorers.factcc.corruptions.sentences import Sentence
from metrologue.scorers.factcc.corruptions.swaps import exchange_names, swap_date, swap_name, swap_number, swap_pronoun

__all__ = ["RULES", "Rule"]

# A rule takes a sentence, the texts in which it looks for what to put in (the source first), and a generator. It gives
# one edit, or None if the sentence has nothing to change.
Rule = Callable[[Sentence, Sequence[Sentence], np.random.Generator], Edit | None]

RULES: Mapping[str, Rule] = {
    "name": swap_name,
    "names exchanged": exchange_names,
    "number": swap_number,
    "date": swap_date,
    "pronoun": swap_pronoun,
    "negation added": add_negation,
    "negation removed": remove_negation,
}
