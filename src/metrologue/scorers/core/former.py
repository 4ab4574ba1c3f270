"""Former public names of scorers: who still uses one is told the new name."""

from __future__ import annotations

from abc import ABCMeta
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any

from metrologue.errors import InputError, shown

__all__ = ["FORMER", "FormerNameError", "Named"]

_NUMBERS = "the declarations of the numbers, `numbers`, have it"
_PRIVATE = "it is internal"

# What took the place of each name.
FORMER = {
    "score_segments": "use `corpus(segments)`",
    "score_each": "use `segment_scores(segments)`",
    "accumulate_segments": "use `accumulate(segments)`",
    "from_fields": "call the class itself, as in `Bleu(**fields)`",
    "needs_references": 'use `scorer.input("references")`',
    "options": "use `metrologue.scorers.core.options.options_of(Bleu)`",
    "choices": "use `metrologue.scorers.core.options.choices_of(Bleu)`",
    "named": "use `metrologue.scorers.get_scorer(name)`",
    "registered": "use `metrologue.scorers.list_scorers()`",
    "short_signature": "use `metrologue.scorers.core.signatures.short(scorer)`",
    "to_segments": "give texts to `corpus`, or make a `Segments`",
    "pair_statistics": "use `statistics(segments)`",
    "infinite": _NUMBERS,
    "perfect_score": _NUMBERS,
    "printed_digits": _NUMBERS,
    "summary": _NUMBERS,
    "is_fitted": _PRIVATE,
    "parsed": _PRIVATE,
    "table_fields": _PRIVATE,
    "fitted_fields": _PRIVATE,
    "variant_name": _PRIVATE,
    "hints": _PRIVATE,
    "ordered": _PRIVATE,
    "papers": _PRIVATE,
    "additive": _PRIVATE,
    "separable": _PRIVATE,
    "separated": _PRIVATE,
    "sampled": _PRIVATE,
    "narrowed": _PRIVATE,
    "for_resampling": _PRIVATE,
    "totals_in_order": _PRIVATE,
    "takes_labels": _PRIVATE,
    "takes_groups": _PRIVATE,
    "traces_all": _PRIVATE,
}


class FormerNameError(InputError, AttributeError):
    """A name was used that a scorer had before."""


class Named(ABCMeta):
    """The class of scorer classes: a field or a name that they do not have is an InputError that says what to use."""

    if not TYPE_CHECKING:  # so that type checkers see the fields of the dataclass, and no other names

        @property
        def __signature__(cls) -> Signature:
            return signature(cls.__init__).replace(parameters=[*signature(cls.__init__).parameters.values()][1:])

        def __call__(cls, *arguments: Any, **values: Any) -> Any:
            known = cls.__dataclass_fields__
            if arguments:
                call = f"{cls.__name__}.variant({shown(arguments[0])})"
                raise InputError(f"{cls.__name__}: fields are given by their names; for a variant, a call is `{call}`.")
            for name in values:
                if name not in known:
                    raise InputError(f"{cls.__name__}: unknown field {shown(name)}; {cls._instead_of_field(name)}")
            return super().__call__(**values)

        def __getattr__(cls, name: str) -> Any:
            raise missing(cls, name)


def missing(owner: type, name: str) -> AttributeError:
    """The error for a name that scorers of this class do not have.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> print(missing(Bleu, "score_segments"))
    Bleu has no `score_segments` any more; use `corpus(segments)`.
    """
    if name in FORMER:
        return FormerNameError(f"{owner.__name__} has no `{name}` any more; {FORMER[name]}.")
    return AttributeError(f"{owner.__name__} has no {name!r}")
