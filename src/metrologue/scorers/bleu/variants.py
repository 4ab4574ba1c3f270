"""The variants of BLEU: the libraries that are mirrored."""

from __future__ import annotations

from metrologue.scorers.core.variants import Recommended, Variant

_PRODUCT = {"smoothing": "none", "zero_when": "never", "arithmetic": "root-of-product", "scale": 1.0}
_CAPTIONS = {**_PRODUCT, "epsilons": (1e-15, 1e-9)}
# What the programs of machine translation have in common with sacrebleu, but for words and smoothing.
_MULTI_BLEU = {"smoothing": "none", "zero_when": "any-order"}
_MTEVAL = {"zero_when": "never", "skip_zero": True}
_TRAVATAR = {**_PRODUCT, "tokenizer": "whitespace", "penalty": "none"}

VARIANTS = {
    "sacrebleu": Variant(
        "sacrebleu", "corpus_bleu and BLEU(): mteval-v13a tokens, exponential smoothing, closest length",
        live="sacrebleu.bleu",
        recommended=Recommended(
            "it takes untokenized references, so that numbers of papers can be compared", "post-2018-call",
        ),
    ),
    "sacrebleu-sentence": Variant(
        "sacrebleu", "sentence_bleu and the command's -sl: as sacrebleu, but orders without n-grams are left out",
        {"effective_order": True}, live="sacrebleu.bleu", options={"effective_order": True},
    ),
    "evaluate": Variant(
        "evaluate",
        "the Hub's `bleu` (tensorflow/nmt): mteval-v13a tokens, shortest reference, no smoothing; fails on empty text",
        {
            "tokenizer": "13a-unstripped", "reference_length": "shortest", "smoothing": "none", "zero_when": "never",
            "empty": "error", "arithmetic": "weighted-logs", "scale": 1.0,
        },
        live="evaluate.bleu",
    ),
    "nltk": Variant(
        "nltk",
        "corpus_bleu over str.split(): a precision of 0 becomes the smallest float; each order has at least one n-gram",
        {
            "tokenizer": "whitespace", "smoothing": "tiny", "floor_totals": True, "skip_zero": True,
            "arithmetic": "weighted-logs-exact", "scale": 1.0,
        },
        live="nltk.bleu",
    ),
    "pycocoevalcap": Variant(
        "pycocoevalcap", "BLEU-N of Bleu(N) over str.split(): 1e-15 and 1e-9 added to numerators and denominators",
        {"tokenizer": "whitespace", **_CAPTIONS},
        live="pycocoevalcap.bleu",
    ),
    "coco": Variant(
        "pycocoevalcap", "BLEU-N of COCO's table: Bleu(N) after pycocoevalcap's PTB tokenizer",
        {"tokenizer": "ptb", **_CAPTIONS},
        live="pycocoevalcap.coco_bleu", needs=("java",),
    ),
    "torchmetrics": Variant(
        "torchmetrics",
        "bleu_score over str.split(), in float32 there: 0 if any order has no match; the first of two closest lengths",
        {
            "tokenizer": "whitespace", "reference_length": "closest-first", "smoothing": "none",
            "zero_when": "any-order", "arithmetic": "weighted-logs-in-order", "scale": 1.0,
        },
        live="torchmetrics.bleu",
    ),
    "bleuscore": Variant(
        "bleuscore", "compute: as the Hub's `bleu`, but with Rust's whitespace, and empty text has a score",
        {
            "tokenizer": "13a-rust", "reference_length": "shortest", "smoothing": "none", "zero_when": "never",
            "arithmetic": "weighted-logs-in-order", "scale": 1.0,
        },
        live="bleuscore.bleu",
    ),
    "multi-bleu": Variant(
        "Moses", "multi-bleu.perl over words between whitespace, for tokenized files: 0 if an order has no match",
        {"tokenizer": "ascii-whitespace", **_MULTI_BLEU},
    ),
    "multi-bleu-detok": Variant(
        "Moses", "multi-bleu-detok.perl: multi-bleu.perl over the tokens of mteval-v13a",
        {"tokenizer": "mteval-v13a:preserve_case=true", **_MULTI_BLEU},
    ),
    "get-ende-bleu": Variant(
        "tensor2tensor",
        "get_ende_bleu.sh: Moses' tokens for German, compounds cut at ##AT##-##AT##, then multi-bleu.perl",
        {"tokenizer": "moses:language=de,final_period=true,compounds=true", **_MULTI_BLEU},
    ),
    "t2t-bleu": Variant(
        "tensor2tensor", "t2t-bleu: international tokens, exponential smoothing, also if nothing matches",
        {"tokenizer": "t2t", **_MTEVAL},
    ),
    "fairseq-score": Variant(
        "fairseq", "fairseq-score over str.split(), for tokenized files: 0 if an order has no match",
        {"tokenizer": "whitespace", **_MULTI_BLEU},
    ),
    "mteval-v13a": Variant(
        "mteval-v13a.pl", "the program's BLEU, in lower case; -c keeps case: tokenizer=mteval-v13a:preserve_case=true",
        {"tokenizer": "mteval-v13a", **_MTEVAL, "scale": 1.0},
    ),
    "mteval-v14": Variant(
        "mteval-v14.pl", "the program's BLEU with --international-tokenization, in lower case",
        {"tokenizer": "mteval-intl", "lowercase": True, **_MTEVAL, "scale": 1.0},
    ),
    "travatar-recall": Variant(
        "travatar",
        "Travatar's measure bleu:prec=0,brev=false over words: recalls in place of precisions, without a penalty",
        {"precision_weight": 0.0, **_TRAVATAR},
        is_apart=True,
    ),
    "travatar-f": Variant(
        "travatar",
        "Travatar's measure bleu:prec=0.5,brev=false over words: F1 of each order in place of its precision",
        {"precision_weight": 0.5, **_TRAVATAR},
        is_apart=True,
    ),
}  # fmt: skip
