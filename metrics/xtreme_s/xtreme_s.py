"""XTREME-S's numbers for `evaluate`, by its tasks, as the Hub's module of this name gives them."""

import evaluate

from metrologue.bridge import SpeechModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge.benchmark_module import accuracy, macro_f1  # From: -e CHECKOUT-OF-METROLOGUE

_NONE: dict = {}


class XtremeS(SpeechModule, evaluate.Metric):
    """XTREME-S's numbers with the result of the Hub's module of this name.

    XTREME-S (Conneau et al. 2022) is a benchmark of speech in many languages. `config_name` is the task: "fleurs-asr",
    "mls", "voxpopuli" and "babel" give the error rates of words and characters, "covost2" BLEU, "fleurs-lang_id"
    accuracy, "minds14" macro F1 and accuracy.

    Args:
        predictions: list of texts; of ints, the labels, for "fleurs-lang_id" and "minds14".
        references: list of texts, or of ints.
        bleu_kwargs: dict of arguments of the Hub's `sacrebleu`, for "covost2".
        wer_kwargs: dict of arguments of the Hub's `wer`, which is concatenate_texts, for the error rates.

    Returns:
        by the task: wer, cer, bleu (0 to 100), f1, accuracy.

    Examples:

        >>> import metrologue
        >>> mls = metrologue.load("xtreme_s", "mls")
        >>> found = mls.compute(predictions=["it is sunny", "paper pen"], references=["it's sunny", "paper and pen"])
        >>> round(found["wer"], 2), round(found["cer"], 2)
        (0.6, 0.26)
        >>> metrologue.load("xtreme_s", "minds14").compute(predictions=[0, 1, 1, 0], references=[0, 1, 0, 0])
        {'f1': 0.7333333333333334, 'accuracy': 0.75}
    """

    tasks = {
        **dict.fromkeys(("fleurs-asr", "mls", "voxpopuli", "babel", "covost2"), _NONE),  # as SpeechModule has them
        "fleurs-lang_id": {"accuracy": accuracy},
        "minds14": {"f1": macro_f1, "accuracy": accuracy},
    }
    holds = dict.fromkeys(("fleurs-asr", "mls", "voxpopuli", "babel", "covost2"), "text")
    papers = ("conneau-etal-2022-xtreme",)
    pages = ("https://huggingface.co/datasets/google/xtreme_s",)
