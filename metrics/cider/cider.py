"""CIDEr and CIDEr-D for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
CIDEr (Vedantam et al. 2015) compares a caption with several captions of the same image. A text is a vector of its
n-grams, weighted by how few images have them. The score is the mean cosine with the references. The program of COCO
calls CIDEr-D by this name: repeated n-grams are clipped, and other lengths have a penalty.
"""

_CITATION = """
@inproceedings{vedantam-etal-2015-cider,
    title = "{CIDEr}: Consensus-Based Image Description Evaluation",
    author = "Vedantam, Ramakrishna and Zitnick, C. Lawrence and Parikh, Devi",
    booktitle = "Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition (CVPR)",
    year = "2015",
    pages = "4566--4575",
    url = "https://arxiv.org/abs/1411.5726"
}
"""

_INPUTS = """
Args:
    predictions: list of captions to score, one for each image.
    references: list of lists of captions, those of each image; or list of captions, one for each image.
    n: longest n-gram that counts.
    sigma: standard deviation of the length penalty, in words; infinite for none.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    document_frequency: path of a table with the number of images that have each n-gram: a saved one, or a pickled one
        such as `coco-val-df.p`. Without it, these references are counted.
    documents: number of images, for a pickled table that does not have it.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single image.

    An argument that is left out has the variant's value.
Returns:
    cider.
Examples:

    >>> import metrologue
    >>> cider = metrologue.load("cider")
    >>> predictions = ["A cat is on the mat.", "A dog is running in the park."]
    >>> references = [["A cat sits on the mat.", "The cat is on the mat."], ["A dog runs in the park."]]
    >>> round(cider.compute(predictions=predictions, references=references)["cider"], 6)
    4.78824
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Cider(MetricModule, evaluate.Metric):
    """CIDEr-D as in COCO's table, or the paper's CIDEr."""

    metric = "cider"
    default_variant = "coco"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://github.com/vrama91/cider", "https://github.com/salaniz/pycocoevalcap"],
            reference_urls=["https://arxiv.org/abs/1411.5726"],
        )

    def _compute(
        self,
        predictions,
        references,
        n=None,
        sigma=None,
        tokenizer=None,
        document_frequency=None,
        documents=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(max_order=n, sigma=sigma, tokenizer=name)
            if document_frequency is not None:
                scorer = scorer.with_table(document_frequency, documents)
            return self._value(scorer, predictions, references, signature, per_segment)
