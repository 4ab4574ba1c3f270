"""Self-BLEU for `evaluate`: how much generated texts are alike; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features
from metrologue.scorers.core.groups import holds_groups

_DESCRIPTION = """
Self-BLEU (Zhu et al. 2018) is the mean BLEU of each text with all other texts as its references. It is high for a
system whose texts are alike. There are no references. It depends on the number of texts: with more texts, more n-grams
are found in one of the others.
"""

_CITATION = """
@inproceedings{zhu-etal-2018-texygen,
    title = "Texygen: A Benchmarking Platform for Text Generation Models",
    author = "Zhu, Yaoming and Lu, Sidi and Zheng, Lei and Guo, Jiaxian and Zhang, Weinan and Wang, Jun and Yu, Yong",
    booktitle = "The 41st International ACM SIGIR Conference on Research and Development in Information Retrieval",
    year = "2018",
    url = "https://arxiv.org/abs/1802.01886",
    pages = "1097--1100"
}
"""

_INPUTS = """
Args:
    predictions: list of two texts or more; or list of groups, each a list of two texts or more.
    max_order: the longest n-gram, 1 to 100; BLEU-2 to BLEU-5 are usual.
    smoothing: the precision of an order without a match, as for BLEU: "floor" is nltk's method1, "exp" is sacrebleu's.
    sample: score so many texts only, each with the others among them.
    sample_seed: the seed that draws the sample; without a seed the first texts are the sample.
    others: "group" compares a text with the others of its group, as by default if there are groups; "all" with all.
    lowercase: whether to ignore case.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single text.

    An argument that is left out has the variant's value.
Returns:
    self_bleu, the mean over the texts, or over the groups; lower is more diverse.
Examples:

    >>> import metrologue
    >>> self_bleu = metrologue.load("self_bleu")
    >>> results = self_bleu.compute(predictions=["the cat sat", "the cat ran", "a dog ran fast"], max_order=2)
    >>> round(results["self_bleu"], 4)
    0.4586
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class SelfBleu(MetricModule, evaluate.Metric):
    """Self-BLEU of predictions; there are no references."""

    metric = "self_bleu"
    default_variant = "nltk"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(references=False, groups=True),
            reference_urls=["https://arxiv.org/abs/1802.01886"],
        )

    def _compute(
        self,
        predictions,
        max_order=None,
        smoothing=None,
        sample=None,
        sample_seed=None,
        others=None,
        lowercase=None,
        tokenizer=None,
        signature=False,
        per_segment=False,
    ):
        segments = self._segments(predictions, None)
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                max_order=max_order,
                smoothing=smoothing,
                sample=sample,
                seed=sample_seed,
                others=others or ("group" if holds_groups(segments) else None),
                lowercase=lowercase,
                tokenizer=name,
            )
            scores, extras = self._score_segments(scorer, segments, signature, per_segment)
        return {scorer.primary: scores[scorer.primary], **extras}
