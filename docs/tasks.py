"""What people use metrics for: the groups of docs/metrics.md and of the site's menu."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["TASKS", "grouped"]

# A metric is in one group: that in whose papers it is most often seen.
TASKS: Mapping[str, tuple[str, ...]] = {
    "Translation, and any text with references": (
        "bleu", "chrf", "ter", "meteor", "google_bleu", "gtm", "hlepor", "nist_mt", "ribes", "tesla", "tesla_celab",
    ),
    "Summaries": ("rouge", "rouge_we", "pyramid", "peak"),
    "Captions": ("cider", "spice", "nneval", "compact_reward"),
    "Meaning, by vectors": ("bertscore", "moverscore", "semantic_similarity", "wmd", "smd", "yisi", "meant"),
    "Learned from ratings": ("bleurt", "comparator", "composite", "esim", "perception_score", "ruse"),
    "Is it true to its source?": ("apes", "dae", "entity_recall", "factcc", "nli_faithfulness"),
    "Dialogue": ("adem", "fed", "fined_eval", "ruber", "usr"),
    "Speech, and distances in edits": ("wer", "cer", "mer", "wil", "wip", "edit_distance"),
    "Language models": (
        "perplexity", "cross_entropy", "likelihood", "likelihood_hashed", "log_loss_hashed", "perplexity_hashed",
    ),
    "Diversity": ("distinct_n", "lexical_diversity", "self_bleu", "huse"),
    "Answers, labels and sets": (
        "exact_match", "token_f1", "accuracy", "f1", "precision", "recall", "confusion_matrix", "dice", "masi",
    ),
}  # fmt: skip
_OTHERS = "Others"


def grouped(metrics: Iterable[str]) -> dict[str, list[str]]:
    """These metrics by task. Those that no task has come last."""
    names = [*metrics]
    found = {task: [name for name in own if name in names] for task, own in TASKS.items()}
    known = {name for own in TASKS.values() for name in own}
    found[_OTHERS] = [name for name in names if name not in known]
    return {task: own for task, own in found.items() if own}
