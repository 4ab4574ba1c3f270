"""Where each metric is defined. A metric is imported when it is first asked for."""

__all__ = ["FOREIGN_SIGNATURES", "ROOMS"]

# The name of each metric, with its module in this package and its class.
ROOMS = {
    "accuracy": ("classification", "Accuracy"),
    "bertscore": ("bertscore", "BertScore"),
    "bleu": ("bleu", "Bleu"),
    "cer": ("error_rates", "CharacterErrorRate"),
    "chrf": ("chrf", "Chrf"),
    "cider": ("cider", "Cider"),
    "comparator": ("comparator", "Comparator"),
    "composite": ("composite", "Composite"),
    "confusion_matrix": ("classification", "ConfusionMatrix"),
    "cross_entropy": ("token_probabilities", "CrossEntropy"),
    "dice": ("dice", "Dice"),
    "distinct_n": ("distinct_n", "DistinctN"),
    "edit_distance": ("edit_distance", "EditDistance"),
    "exact_match": ("exact_match", "ExactMatch"),
    "f1": ("classification", "F1"),
    "google_bleu": ("google_bleu", "GoogleBleu"),
    "gtm": ("gtm", "Gtm"),
    "hlepor": ("hlepor", "Hlepor"),
    "lexical_diversity": ("lexical_diversity", "LexicalDiversity"),
    "likelihood": ("token_probabilities", "Likelihood"),
    "likelihood_hashed": ("hashed_words", "LikelihoodHashed"),
    "log_loss_hashed": ("hashed_words", "LogLossHashed"),
    "masi": ("masi", "Masi"),
    "mer": ("error_rates", "MatchErrorRate"),
    "meteor": ("meteor", "Meteor"),
    "nist_mt": ("nist_mt", "NistMt"),
    "nneval": ("nneval", "NNEval"),
    "perplexity": ("token_probabilities", "Perplexity"),
    "perplexity_hashed": ("hashed_words", "PerplexityHashed"),
    "precision": ("classification", "Precision"),
    "recall": ("classification", "Recall"),
    "ribes": ("ribes", "Ribes"),
    "rouge": ("rouge", "Rouge"),
    "ruse": ("ruse", "Ruse"),
    "self_bleu": ("self_bleu", "SelfBleu"),
    "semantic_similarity": ("semantic_similarity", "SemanticSimilarity"),
    "ter": ("ter", "Ter"),
    "token_f1": ("token_f1", "TokenF1"),
    "wer": ("error_rates", "WordErrorRate"),
    "wil": ("error_rates", "WordInformationLost"),
    "wip": ("error_rates", "WordInformationPreserved"),
    "wmd": ("wmd", "Wmd"),
    "yisi": ("yisi", "Yisi"),
}

# Programs whose signatures are read too, each with the function that reads one: it gives the metric, the variant and
# the fields, or None for other text.
FOREIGN_SIGNATURES = {"sacrebleu": ("metrologue.scorers.sacrebleu_signatures", "read_signature")}
