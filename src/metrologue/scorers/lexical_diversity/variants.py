"""The variants of lexical diversity: the packages that are mirrored."""

from __future__ import annotations

from metrologue.scorers.core.variants import Variant

VARIANTS = {
    "metrologue": Variant(
        "metrologue", "all usual measures over str.split() in lower case; short texts are cut windows"
    ),
    "lexicalrichness": Variant(
        "lexicalrichness",
        "LexicalRichness(text): windows of 100; no number where the package raises or divides by 0, as below a window",
        {
            "tokenizer": "lexicalrichness", "lowercase": False, "window": 100, "msttr_rest": "drop-last",
            "short_window": "undefined", "short_sample": "undefined", "undefined": "error", "vocd_samples": 100,
            "measures": (
                "ttr", "root_ttr", "corrected_ttr", "herdan_c", "summer_s", "dugast_u", "maas_a2", "yule_k", "yule_i",
                "herdan_vm", "simpson_d", "msttr", "mattr", "hdd", "vocd_d", "mtld",
            ),
        },
        live="lexicalrichness.lexical_diversity",
    ),
    "lexical-diversity": Variant(
        "lexical-diversity",
        "lex_div over its tokenize: MTLD with < .72, 10 tokens at least and an open end; 0 for undefined",
        {
            "tokenizer": "lexical-diversity", "lowercase": False, "short_sample": "undefined",
            "mtld_comparison": "below", "mtld_least_length": 10, "mtld_bid_least_length": 10,
            "mtld_whole_end": False, "mtld_unbroken": "undefined", "maas_log": "decimal", "arithmetic": "ratios",
            "measures": ("ttr", "root_ttr", "herdan_c", "maas_a2", "msttr", "mattr", "hdd", "mtld"),
        },
        live="lexical-diversity.lexical_diversity",
    ),
}  # fmt: skip
