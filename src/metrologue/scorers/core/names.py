"""What people call a score: a metric's name, another program's name for it, a number of a metric, a signature.

Every door reads names by ``read_name``: Python, the command line, and the modules of ``evaluate``.
"""

from __future__ import annotations

import re
from typing import Any

from metrologue.scorers.core.configuration import class_of_name
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.typed import Typed, number_named, printed, typed

# What other programs and papers call a metric. Those of sacrebleu are spelled as it spells them.
_OF_SACREBLEU = {"BLEU": "bleu:sacrebleu", "TER": "ter:sacrebleu", "chrF": "chrf:sacrebleu", "chrF++": "chrf:chrf++"}
_ELSEWHERE = {
    "bert_score": "bertscore",
    "cider_d": "cider:coco",
    "ciderd": "cider:coco",
    "cometkiwi": "comet",
    "distinct": "distinct_n",
    "em": "exact_match",
    "gleu": "google_bleu",
    "levenshtein": "edit_distance",
    "mcc": "matthews_correlation",
    "metricx_23": "metricx:metricx-23",
    "metricx_23_qe": "metricx:metricx-23-qe",
    "metricx_24": "metricx:metricx-24",
    "mover_score": "moverscore",
    "nist": "nist_mt",
    "ppl": "perplexity",
    "sacrebleu": "bleu:sacrebleu",
    "spbleu": "bleu[tokenizer=flores200]",
    "summac": "nli_faithfulness:summac-zs",
    "summac_zs": "nli_faithfulness:summac-zs",
    "xcomet": "comet",
}
_CHRF = re.compile(r"chrf([1-9]\d?)(\+*)")
_MEASURES = {None: "fmeasure", "p": "precision", "r": "recall", "f": "fmeasure"}
_ROUGE = re.compile(r"rouge_?(?P<kind>[1-9]|l|lsum|w|su?(\d+|\*)?)(?:_(?P<measure>precision|recall|fmeasure|[prf]))?")


def read_name(text: Any, variant: str | None = None, *, whole: bool = False) -> Typed:
    """What a name means, with the name of a metric here, its variant, its options, and the number that is meant.

    A signature, also one of sacrebleu, is the head as it stands. What nobody knows is given back as it was typed: the
    registry refuses it.

    Parameters
    ----------
    text : str
    variant : str, optional
        The variant that is given beside the name: it comes before the one that another program's name stands for.
    whole : bool
        Whether "rougeL" is that number of the whole metric, and not the metric with this type alone.

    Raises
    ------
    InputError
        If it is no text, or has the form of no score.

    Examples
    --------
    >>> read_name("rougeL"), read_name("ROUGE-L:rouge-1.5.5[recall]")
    (Typed(head='rouge', fields={'types': '[rougeL]'}, words=()), \
Typed(head='rouge:rouge-1.5.5', fields={'types': '[rougeL]'}, words=('recall',)))
    >>> read_name("rougeL", whole=True), read_name("chrF2++").fields
    (Typed(head='rouge', fields={}, words=('rougeL_fmeasure',)), {'beta': '2', 'word_order': '2'})
    """
    if isinstance(text, str):
        if text in Scorer._registered:
            return Typed(text, {}, ())
        if "|" in text or "+" in text:
            from metrologue.scorers.core.sacrebleu_signatures import as_signature_of_2

            if (signature := as_signature_of_2(text)) or "|" in text:
                return Typed(signature or text, {}, ())
    given = typed(text)
    name, _, typed_variant = given.head.partition(":")
    if name in Scorer._registered:
        return given
    meant = _meant(name, whole and not (given.words or given.fields))
    if meant is None:
        return given
    metric, _, own = meant.head.partition(":")
    head = ":".join(filter(None, (metric, typed_variant or variant or own)))
    return Typed(head, {**meant.fields, **given.fields}, (*meant.words, *given.words))


def _meant(name: str, whole: bool) -> Typed | None:
    """What another name for a metric means; None if nobody knows it."""
    folded = name.casefold().replace("-", "_")
    if alias := _OF_SACREBLEU.get(name) or _ELSEWHERE.get(folded):
        return typed(alias)
    if match := _CHRF.fullmatch(folded):
        return Typed("chrf:sacrebleu", {"beta": match[1], "word_order": str(len(match[2]))}, ())
    if match := _ROUGE.fullmatch(folded):
        kind = f"rouge{match['kind'].upper().replace('LSUM', 'Lsum')}"
        if whole:
            number = f"{kind}_{_MEASURES.get(match['measure'], match['measure'])}"
            if number in class_of_name("rouge")().range:
                return Typed("rouge", {}, (number,))
        return Typed("rouge", {"types": f"[{kind}]"}, (match["measure"],) if match["measure"] else ())
    if folded in Scorer._registered:
        return Typed(folded, {}, ())
    for each in dict.fromkeys((name, folded)):
        if found := number_named(each, Scorer._registered):
            return Typed(found[0], {}, (found[1],))
    return None


def metric_of(text: Any) -> str:
    """The name of the metric that is meant; what nobody knows as it stands. Raises an InputError as ``read_name``.

    Examples
    --------
    >>> metric_of("chrF2++"), metric_of("bleu:nltk[max_order=2]"), metric_of("BLEU|nrefs:1|case:lc|tok:13a|smooth:exp")
    ('chrf', 'bleu', 'bleu')
    """
    given = read_name(text)
    if "|" not in given.head:
        return given.head.partition(":")[0]
    name = given.head.partition("|")[0]
    return name if name in Scorer._registered else Scorer.from_signature(given.head).name


def without_signature(given: Typed) -> Typed:
    """The same score, with variant and options in place of a signature.

    Examples
    --------
    >>> without_signature(read_name("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"))
    Typed(head='bleu:sacrebleu', fields={'lowercase': 'true'}, words=())
    """
    return typed(printed(Scorer.from_signature(given.head))) if "|" in given.head else given
