"""The character error rate."""

from dataclasses import dataclass, replace
from typing import ClassVar

from metrologue.scorers.core.about import Growth
from metrologue.scorers.families.error_rates import CHARACTERS, RATES, ErrorRate, geval, hub, variants_of

__all__ = ["CharacterErrorRate"]


@dataclass(frozen=True, kw_only=True)
class CharacterErrorRate(ErrorRate):
    """The word error rate over characters, including the whitespace between words; the rate is called ``cer``.

    Examples
    --------
    >>> CharacterErrorRate().corpus(["abc"], ["adc"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "cer"
    _rate: ClassVar[str] = "cer"
    about: ClassVar = replace(
        ErrorRate.about,
        growth=Growth("characters", 2, 400_000),
    )
    numbers: ClassVar = (replace(RATES[0], name="cer", title="CER"), *RATES[1:])
    _variants: ClassVar = {**variants_of("cer", *CHARACTERS), "evaluate": hub("cer"), "geval": geval("characters")}

    tokenizer: str = "characters-stripped"
