"""CodeBLEU for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Codebleu(MetricModule, evaluate.Metric):
    """n-grams, syntax and data flow of generated code.

    CodeBLEU, a weighted mean of BLEU, BLEU with weighted keywords, matching subtrees of the syntax and matching data
    flow of code. It needs a grammar of tree-sitter.

    Returns:
        codebleu (`float`): the score, 0 to 1; higher is better. 1 means that all parts match.
        ngram_match, weighted_ngram_match, syntax_match, dataflow_match (`float`): the four parts, 0 to 1; higher is
            better.

    Examples:

        >>> import metrologue
        >>> codebleu = metrologue.load("codebleu")
        >>> predictions = ["int add(int a, int b) { return a - b; }"]
        >>> references = ["int add(int a, int b) { return a + b; }"]
        >>> results = codebleu.compute(predictions=predictions, references=references, language="java")
        >>> results["syntax_match"], round(results["codebleu"], 4)
        (1.0, 0.8733)
    """

    metric = "codebleu"
    default_variant = "codebleu"
    reported = ("codebleu", "ngram_match", "weighted_ngram_match", "syntax_match", "dataflow_match")
    programs = (
        "https://github.com/k4black/codebleu",
        "https://github.com/microsoft/CodeXGLUE/tree/main/Code-Code/code-to-code-trans/evaluator/CodeBLEU",
        "https://github.com/reddy-lab-code-research/XLCoST/tree/main/code/translation/evaluator/CodeBLEU",
    )
