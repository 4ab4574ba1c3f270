"""TESLA-CELAB for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
TESLA-CELAB is how much of a text and its reference is covered by n-grams of characters that match, as equal characters
or as synonyms, for languages such as Chinese that do not mark words.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The score of a text that equals its reference.
    multi_reference ("mean" or "best", default "mean"): How several references join. `mean`: the mean of their scores.
        `best`: the one with the best score; ties: the first.
    tokenizer (str or function, default "char"): One of `metrologue.tokenizers.list_tokenizers()`. The paper's units are
        characters; with "whitespace", they are what stands between spaces.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    synonyms (str, default None): Sets of n-grams that mean the same: the file of CILIN, or a table of your own. None:
        only equal n-grams match.
    first_units ("any" or "short", default "any"): The first two units of a match. `any`: they may have any lengths.
        `short`: one of them is a single token, as in the authors' program; so a match cannot begin with two synonyms of
        two characters each.
    max_order (int, default 4): Longest n-gram; the shortest is 1.
    precision_weight (float, default 0.25): How much the n-grams of the hypothesis count.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "characters".
Returns:
    tesla_celab (`float`): the mean of the scores of the segments, 0 to 1; higher is better. A text that equals its
        reference scores 1, and so does one with synonyms in place of all that differs.
    precision (`float`): the mean of the covered shares of the texts, 0 to 1.
    recall (`float`): the mean of the covered shares of the references, 0 to 1.
Examples:

    >>> import metrologue
    >>> celab = metrologue.load("tesla_celab")
    >>> predictions, references = ["他买了一把伞。"], ["他买了把雨伞。"]
    >>> results = celab.compute(predictions=predictions, references=references)
    >>> print({name: round(value, 4) for name, value in results.items()})
    {'tesla_celab': 0.4545, 'precision': 0.4545, 'recall': 0.4545}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class TeslaCelab(MetricModule, evaluate.Metric):
    """What matching n-grams of characters cover of two texts."""

    metric = "tesla_celab"
    default_variant = "characters"
    reported = ("tesla_celab", "precision", "recall")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/drplanar/tesla-celab"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        tokenizer=None,
        lowercase=None,
        synonyms=None,
        first_units=None,
        max_order=None,
        precision_weight=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            multi_reference=multi_reference,
            tokenizer=tokenizer,
            lowercase=lowercase,
            synonyms=synonyms,
            first_units=first_units,
            max_order=max_order,
            precision_weight=precision_weight,
        )
