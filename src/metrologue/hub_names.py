"""The modules of Hugging Face's `evaluate` that metrologue does not have: what each one is, and what to use here.

A name leaves this table when a metric gets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["HUB_NAMES", "told_of_hub_name"]

# What the Hub's module gives; and what is near it here, empty if nothing is.
HUB_NAMES: Mapping[str, tuple[str, str]] = {
    "brier_score": ("the mean squared error of probabilities", ""),
    "character": (
        "CharacTER, an edit rate over characters in which words can be shifted",
        "'cer' counts edits of characters, 'ter' edits and shifts of words",
    ),
    "charcut_mt": (
        "CharCut, an edit rate over characters that looks for long common parts",
        "'cer' and 'chrf' compare characters",
    ),
    "code_eval": ("the share of programs that pass their tests (pass@k)", ""),
    "comet": (
        "a network that was trained on ratings of translations and reads the source, too",
        "'bleurt' is trained on ratings, without a source; `metrologue meta --scores-from` takes COMET's own scores",
    ),
    "competition_math": (
        "the share of answers that are equal after their LaTeX is normalized",
        "'exact_match' compares answers as they are written",
    ),
    "coval": ("measures of coreference, such as MUC and B-cubed", ""),
    "cuad": (
        "exact match, F1 and precision at recalls for spans of contracts",
        "'exact_match' and 'token_f1' compare spans with several references",
    ),
    "fever": (
        "the share of claims with the right label and evidence",
        "'accuracy' compares the labels, without evidence",
    ),
    "frugalscore": (
        "a small network that learned the scores of BERTScore or MoverScore",
        "'bertscore' and 'moverscore' give these scores themselves",
    ),
    "glue": (
        "accuracy, F1 or a correlation, by the task of GLUE",
        "'accuracy', 'f1', 'pearsonr' and 'spearmanr' give them",
    ),
    "honest": ("the share of hurtful words in completions, by a lexicon", ""),
    "indic_glue": ("accuracy, F1 or precision at 10, by the task", "'accuracy' and 'f1' give the first two"),
    "label_distribution": ("the share of each label, and their skewness", ""),
    "mae": ("the mean absolute error of numbers", ""),
    "mahalanobis": ("the distance of points from a distribution", ""),
    "mape": ("the mean absolute error of numbers, in percent", ""),
    "mase": ("the mean absolute error of a forecast, divided by that of a naive one", ""),
    "matthews_correlation": (
        "Matthews' correlation of labels",
        "'cohen_kappa' is corrected for chance, too, and 'confusion_matrix' has the counts",
    ),
    "mauve": (
        "how far the distribution of a model's texts is from that of people's",
        "'huse' tells how well the two can be told apart, from people's judgements",
    ),
    "mean_iou": ("the overlap of segments of images", ""),
    "mse": ("the mean squared error of numbers", ""),
    "poseval": (
        "accuracy, precision, recall and F1 of each token's tag",
        "'accuracy', 'precision', 'recall' and 'f1' take the tags as labels",
    ),
    "r_squared": ("the share of variance that a prediction explains", "the square of 'pearsonr' is that of a line"),
    "regard": ("what a classifier finds of the regard for groups of people", ""),
    "rl_reliability": ("measures of the reliability of reinforcement learning", ""),
    "roc_auc": ("the area under the ROC curve", ""),
    "sari": (
        "a comparison of a simplified text with its source and its references",
        "'bleu' and 'bertscore' compare with the references, and nothing reads the source",
    ),
    "seqeval": (
        "precision, recall and F1 of named entities, from tags of their tokens",
        "'f1' counts tags of tokens, and 'entity_recall' the entities in texts",
    ),
    "smape": ("the symmetric mean absolute error of numbers, in percent", ""),
    "squad_v2": (
        "exact match and F1 of answers, where some questions have none",
        "'squad' gives both where each question has an answer",
    ),
    "super_glue": (
        "accuracy, F1 or exact match, by the task of SuperGLUE",
        "'accuracy', 'f1' and 'exact_match' give them",
    ),
    "text_duplicates": (
        "the share of texts that occur more than once",
        "'self_bleu' and 'distinct_n' measure how much texts repeat each other",
    ),
    "toxicity": ("what a classifier finds toxic", ""),
    "trec_eval": ("measures of rankings of documents, such as NDCG", ""),
    "wiki_split": (
        "SARI, BLEU and exact match of split sentences",
        "'bleu' and 'exact_match' give the last two",
    ),
    "word_count": (
        "the number of words, and of different words",
        "'lexical_diversity' gives both, as token_count and type_count",
    ),
    "word_length": (
        "the mean number of words of a text",
        "'lexical_diversity' gives the number of words of all texts, as token_count",
    ),
    "xnli": ("the accuracy of labels", "'accuracy' gives it"),
    "xtreme_s": (
        "a metric for each task, such as WER or accuracy",
        "'wer', 'cer', 'bleu', 'f1' and 'accuracy' give them",
    ),
}


def told_of_hub_name(name: Any) -> str | None:
    """What is known of a module of the Hub that is not here; None for other names.

    Examples
    --------
    >>> told_of_hub_name("xnli")
    "on the Hub, it is the accuracy of labels. Here, 'accuracy' gives it."
    >>> told_of_hub_name("MAE"), told_of_hub_name("bleu")
    ('on the Hub, it is the mean absolute error of numbers. There is nothing like it here.', None)
    """
    found = HUB_NAMES.get(name.casefold().replace("-", "_")) if isinstance(name, str) else None
    if found is None:
        return None
    what, here = found
    return f"on the Hub, it is {what}. {f'Here, {here}.' if here else 'There is nothing like it here.'}"
