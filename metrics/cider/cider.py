"""CIDEr for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
CIDEr compares a caption with several captions of the same image, weighted by tf-idf: CIDEr-D as in COCO's table, or the
paper's CIDEr.
"""

_INPUTS = """
Args:
    predictions (list[str]): the captions to score, one for each image. Tuples, NumPy arrays, pandas Series, `datasets`
        columns and Arrow arrays are fine too.
    references (list[list[str]] or list[str]): the captions of each image. The lists may differ in length.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 10.0): The score of a text that equals its only reference and has `max_order` words or more.
        The libraries have 10.
    multi_reference ("mean" or "best", default "mean"): How several references join. `mean`: the mean of their cosines.
        `best`: the reference with the best score; ties: the first.
    tokenizer (str or function, default "ptb"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    n (int, default 4): Longest n-gram.
    document_frequency (path or table, default None): The images whose references have each n-gram, as `fit` counts
        them. None: they come from the references that are scored.
    clipped (bool, default True): Whether an entry of the hypothesis is at most that of the reference, in the product
        (CIDEr-D).
    sigma (float, default 6.0): The standard deviation of the length penalty, in words. Infinite: there is no penalty
        (CIDEr).
    documents (float): the number of images, for a pickled table that does not have it; 40504 for `coco-val-df.p`.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single images. They use the
        weights from all references.

    An argument that is left out has the variant's value. The defaults shown are those of "coco".
Returns:
    cider (`float`): 0 to 10; higher is better. 10 means that each caption equals all references of its image, and has
        four words or more. Papers often print it times 10 or 100.
Examples:

    >>> import metrologue
    >>> cider = metrologue.load("cider")
    >>> predictions = ["A cat is on the mat.", "A dog is running in the park.", "People ride bikes on the road."]
    >>> references = [
    ...     ["A cat sits on the mat.", "The cat is on the mat."],
    ...     ["A dog runs in the park.", "A brown dog is running."],
    ...     ["Two people ride bikes."],
    ... ]
    >>> results = cider.compute(predictions=predictions, references=references)
    >>> print(f"{results['cider']:.3f}")
    4.369
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Cider(MetricModule, evaluate.Metric):
    """CIDEr and CIDEr-D of image captions."""

    metric = "cider"
    default_variant = "coco"
    renamed = (("max_order", "n"),)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=[
                "https://github.com/vrama91/cider",
                "https://github.com/salaniz/pycocoevalcap",
                "https://github.com/tylin/coco-caption",
            ],
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
        n=None,
        document_frequency=None,
        clipped=None,
        sigma=None,
        documents=None,
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
            max_order=n,
            document_frequency=document_frequency,
            clipped=clipped,
            sigma=sigma,
            table={"documents": documents},
        )
