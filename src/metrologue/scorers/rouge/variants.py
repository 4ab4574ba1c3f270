"""The variants of ROUGE: the libraries that are mirrored."""

from __future__ import annotations

from metrologue.scorers.core.variants import Recommended, Variant

_PERL = {
    "types": ("rouge1", "rouge2", "rougeL", "rougeW", "rougeS4", "rougeSU4"),
    "tokenizer": "rouge-1.5.5",
    "lcs_of": "sentences",
    "skip_unigrams": "but-last",
    "f_form": "alpha",
    "multi_reference": "pooled",
}
# The script as people call it: five decimals, and the mean of resampled means.
_SCRIPT = {**_PERL, "round_digits": 5, "empty": "skip-w", "aggregation": "bootstrap-mean"}
_POOLED = {"types": ("rouge1", "rouge2", "rougeL"), "f_form": "alpha", "multi_reference": "pooled"}
_PY_ROUGE = {
    "types": ("rouge1", "rouge2", "rougeL"),
    "tokenizer": "rouge-score:contractions=true",
    "stemmer": "porter-original",
    "limit_of": "stripped-lines",
    "lcs_of": "sentences",
    "root_of": "subsequences",
    "f_form": "alpha",
    "multi_reference": "pooled",
}

VARIANTS: dict[str, Variant] = {
    "rouge_score": Variant(
        "rouge_score", "Google's RougeScorer: ASCII words, the reference with the best F, the mean of the segments",
        live="rouge_score.rouge",
    ),
    "evaluate": Variant(
        "evaluate", "the Hub's `rouge`: rouge_score, then the median of 1000 resampled means; the seed is fixed here",
        {"aggregation": "bootstrap-median"}, live="evaluate.rouge", options={"seed": 0},
    ),
    "rouge-1.5.5": Variant(
        "ROUGE-1.5.5.pl",
        "Lin's script with -n 2 -w 1.2 -2 4 -U: pooled references, five decimals, the mean of resampled means",
        _SCRIPT, live="rouge-1.5.5.rouge",
        needs=("perl",), recommended=Recommended("it is the script that defines ROUGE, for English", "lin-2004-rouge"),
    ),
    "pythonrouge": Variant(
        "pythonrouge", "the script with -n 2 -2 4 -u -x -l 100 -m: stems, and the first 100 words of each text",
        {**_SCRIPT, "types": ("rouge1", "rouge2", "rougeSU4"), "stemmer": "porter-1.5.5", "max_words": 100},
        live="rouge-1.5.5.rouge", options={"stem": True, "word_limit": 100}, needs=("perl",),
    ),
    "files2rouge": Variant(
        "files2rouge", "the script with -n 2 -m: stems; ' .' ends a sentence, and '<' the words of one",
        {
            **_SCRIPT, "types": ("rouge1", "rouge2", "rougeL"), "stemmer": "porter-1.5.5-regular",
            "sentences": "spaced-period",
        },
    ),
    "paper-2004": Variant(
        "Lin", "the paper: weights of the common subsequence, a marker at the beginning of a text, the jackknife",
        {**_PERL, "weight_rule": "paper", "skip_unigrams": "begin", "multi_reference": "jackknife"},
    ),
    "rouge": Variant(
        "rouge", "sets of n-grams, sentences end at periods, 1e-8 in the denominator of F; fails on empty text",
        {
            "types": ("rouge1", "rouge2", "rougeL"), "tokenizer": "rouge", "sentences": "period", "lcs_of": "sentences",
            "lcs_tie_break": "skip-hypothesis", "binary": True, "f_epsilon": 1e-8, "empty": "error",
        },
        live="rouge.rouge",
    ),
    "rouge-chinese": Variant(
        "rouge-chinese",
        "as rouge, but Chinese marks end a sentence, and ROUGE-L counts all words; for texts that are cut into words",
        {
            "types": ("rouge1", "rouge2", "rougeL"), "tokenizer": "rouge-chinese", "sentences": "none", "binary": True,
            "f_epsilon": 1e-8, "empty": "error-words",
        },
    ),
    "py-rouge": Variant(
        "py-rouge",
        "Rouge(): stems, the first 665 characters, pooled references; of weight 1, its ROUGE-W is its ROUGE-L",
        {**_PY_ROUGE, "max_bytes": 665, "lcs_weight": 1.0},
    ),
    "py-rouge-readme": Variant(
        "py-rouge",
        "as its README calls it: the first 100 words; weight 1.2, whose root is taken of ROUGE-L's shares too",
        {**_PY_ROUGE, "max_words": 100, "types": ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeW")},
    ),
    "sumeval": Variant(
        "sumeval", "RougeCalculator(): ASCII words without ROUGE-1.5.5's stop words, pooled references",
        {**_POOLED, "tokenizer": "rouge-1.5.5", "stop_words": True}, live="sumeval.rouge",
    ),
    "rougescore": Variant(
        "rougescore", "rouge_n and rouge_l of tokens, here words between whitespace: pooled references",
        {**_POOLED, "tokenizer": "whitespace"},
    ),
    "pycocoevalcap": Variant(
        "pycocoevalcap",
        "ROUGE-L over split(' '), beta 1.2, the best precision and the best recall over all references",
        {"types": ("rougeL",), "tokenizer": "blank", "sentences": "none", "beta": 1.2, "multi_reference": "best-each"},
        live="pycocoevalcap.rouge",
    ),
    "coco": Variant(
        "pycocoevalcap", "ROUGE-L of COCO's table: Rouge() after pycocoevalcap's PTB tokenizer",
        {
            "types": ("rougeL",), "tokenizer": "ptb:cut=blank", "sentences": "none", "beta": 1.2,
            "multi_reference": "best-each",
        },
        live="pycocoevalcap.coco_rouge", needs=("java",),
    ),
    "torchmetrics": Variant(
        "torchmetrics", "rouge_score's words in float32; rougeLsum only on request, with the sentences of nltk's punkt",
        {"types": ("rouge1", "rouge2", "rougeL"), "sentences": "punkt", "multi_reference": "best-single"},
        live="torchmetrics.rouge", needs=("punkt",),
    ),
    "rouge-metric": Variant(
        "rouge-metric",
        "PyRouge: words of any script between whitespace, pooled references, F of mean precision and mean recall",
        {**_PERL, "tokenizer": "whitespace", "aggregation": "mean-pr"}, live="rouge-metric.rouge",
    ),
    "unicode": Variant(
        "metrologue",
        "as rouge_score, but with case-folded words of any script; each Han, kana or Thai character is a word",
        {"tokenizer": "unicode-words"},
    ),
}  # fmt: skip
