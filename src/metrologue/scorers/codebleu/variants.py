"""The programs that print CodeBLEU, each as field values."""

from __future__ import annotations

from metrologue.scorers.core.variants import Variant

VARIANTS = {
    "codebleu": Variant(
        "codebleu",
        "calc_codebleu of PyPI's package, where a data-flow match of 0 counts as 1 in the whole",
    ),
    "codexglue": Variant(
        "CodeXGLUE",
        "calc_code_bleu.py, and its copy in XLCoST, which has more languages: comments are stripped as if all code was "
        "Java, and a data-flow match of 0 counts as 0",
        {"comments": "java", "soft_keywords": False, "no_flow": "zero"},
    ),
}
