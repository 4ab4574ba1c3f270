"""The variant of each metric to report: why, and who says so. The advice of the README and of a comparison is this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["RECOMMENDED", "Recommended"]


@dataclass(frozen=True)
class Recommended:
    """A variant to report.

    Attributes
    ----------
    variant : str
    reason : str
        Why, as the end of a sentence.
    source : str
        Who recommends or defines it: a key of ``references.bib``.
    """

    variant: str
    reason: str
    source: str


RECOMMENDED: Mapping[str, Recommended] = {
    "bleu": Recommended(
        "sacrebleu", "it takes untokenized references, so that numbers of papers can be compared", "post-2018-call"
    ),
    "chrf": Recommended("sacrebleu", "its signature says which orders and which beta it has", "post-2018-call"),
    "ter": Recommended("sacrebleu", "it follows the definition and its program tercom", "snover-etal-2006-study"),
    "rouge": Recommended("rouge-1.5.5", "it is the script that defines ROUGE", "lin-2004-rouge"),
    "meteor": Recommended("meteor-1.5", "it is the authors' program", "denkowski-lavie-2014-meteor"),
    "nist_mt": Recommended("mteval-v13a", "it is the program that defines NIST", "doddington-2002-automatic"),
    "cider": Recommended("coco", "it is the pipeline of the captioning challenge", "vedantam-etal-2015-cider"),
    "ribes": Recommended("ribes-1.03", "it is the authors' program", "isozaki-etal-2010-automatic"),
}
