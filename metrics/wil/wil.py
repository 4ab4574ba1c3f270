"""WIL for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Word information lost as jiwer and torchmetrics compute it, from one engine that names every choice behind the number.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length. With several references, the one with the best rate counts, with its own number of
        words.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the rate
        of the summed counts. `mean`: the mean of the segments' rates.
    scale (float, default 1.0): The value of a rate of 1.
    multi_reference ("best" or "fewest-errors", default "best"): Which of several references counts, with its own N.
        `best`: the one with the best rate (mWER); ties: the first. `fewest-errors`: the one with the fewest errors;
        ties: the first.
    tokenizer (str or function, default "jiwer"): What the units are: "jiwer" (jiwer's words), "whitespace"
        (`str.split()`), "characters-stripped" (jiwer's characters), "characters", "graphemes", or any other tokenizer.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    transforms (list of "contractions" or "punctuation" or "kaldi" or "spaces" or "no-whitespace" or "one-space" or
        "strip", default []): What is done to the texts before they are cut, after `lowercase`, in this order. The names
        in brackets are jiwer's. `contractions`: common English contractions are written out, as in "won't"
        (ExpandCommonEnglishContractions). `punctuation`: punctuation of any script is removed (RemovePunctuation).
        `kaldi`: what stands in [] or <> is removed, such as "<unk>" (RemoveKaldiNonWords). `spaces`: whitespace of
        ASCII becomes spaces (RemoveWhiteSpace, replace_by_space). `no-whitespace`: whitespace of ASCII is removed
        (RemoveWhiteSpace). `one-space`: two whitespace characters or more become a space (RemoveMultipleSpaces).
        `strip`: whitespace at both ends is removed (Strip).
    hits ("aligned" or "most" or "fewest", default "aligned"): Which hits are counted. Several alignments may have the
        least number of edits, with different numbers of hits. `aligned`: the hits of the alignment that rapidfuzz picks
        (jiwer). `most`: the most hits that a shortest alignment has. `fewest`: max(N, M) minus the edits, as if the
        alignment were as long as the longer text (torchmetrics).
    empty ("insertions" or "one" or "error", default "insertions"): The value of a rate that would divide by zero.
        `insertions`: `wer` is the number of insertions; `mer` is 0; `wip` is 1 if both texts are empty, otherwise 0
        (jiwer). `one`: as insertions, but `wer` is 1 if the hypothesis has a unit and the reference has none (GEval).
        `error`: an InputError, if the rate is the scorer's `value`.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each single prediction, all rates and the numbers of hits, substitutions,
        deletions and insertions.

    An argument that is left out has the variant's value. The defaults shown are those of "jiwer".
Returns:
    wil (`float`): from 0 to 1; lower is better. 0 if prediction and reference have the same words, 1 if no word is a
        hit.
Examples:

    >>> import metrologue
    >>> wil = metrologue.load("wil")
    >>> predictions = ["this is the prediction", "there is an other sample"]
    >>> references = ["this is the reference", "there is another one"]
    >>> wil.compute(predictions=predictions, references=references)
    {'wil': 0.6527777777777778}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Wil(MetricModule, evaluate.Metric):
    """Word information lost of jiwer and torchmetrics."""

    metric = "wil"
    default_variant = "jiwer"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/jitsi/jiwer"],
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
        transforms=None,
        hits=None,
        empty=None,
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
            transforms=transforms,
            hits=hits,
            empty=empty,
        )
