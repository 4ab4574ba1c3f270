"""BERTScore for `evaluate`, with the arguments and numbers of the Hub's metric of this name."""

import importlib.util
import os
from pathlib import Path

import evaluate

from metrologue.bridge import MetricModule
from metrologue.errors import InputError
from metrologue.representations import open_encoder
from metrologue.scorers.bertscore.hashcode import hashcode
from metrologue.scorers.bertscore.layers import model_of_language

_DESCRIPTION = """
BERTScore compares each token of a text with the most similar token of the other text. The similarity of two tokens is
the cosine of the vectors that a language model gives them in their context.
"""

_CITATION = """
@inproceedings{zhang-etal-2020-bertscore,
    title = "{BERTScore}: Evaluating Text Generation with {BERT}",
    author = "Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav",
    booktitle = "International Conference on Learning Representations (ICLR)",
    year = "2020",
    url = "https://openreview.net/forum?id=SkeHuCVFDr"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts: one reference or several for each prediction.
    lang: code of the language of the texts, such as "en"; it picks the model if model_type is left out.
    model_type: folder of a model of transformers or its name on the Hub, a file of word vectors, or an encoder of
        `metrologue.representations`.
    num_layers: layer that gives the vectors; by default the one that bert-score has for a model of this name,
        otherwise the last.
    verbose: taken for the Hub's sake; a progress bar comes on a terminal if the work takes long.
    idf: whether tokens count by how few references have them.
    device: "cpu", "cuda" or "gpu", "cuda:1", "mps"; by default "cuda" if it is there.
    batch_size: how many texts go through the model at once.
    nthreads: taken for the Hub's sake; no processes are started.
    all_layers: False; give num_layers for one layer at a time.
    rescale_with_baseline: whether scores are rescaled, so that unrelated texts get 0.
    baseline_path: file of baselines; by default that of the package bert-score for `lang` and the model.
    use_fast_tokenizer: taken for the Hub's sake; transformers has one tokenizer for a model.
    multi_reference: how several references join: "best-each", "best", "mean" or "first".
    too_long: what happens to a text that is longer than the model's context: "cut" or "error".
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each segment.

    An argument that is left out has the variant's value.
Returns:
    "precision", "recall" and "f1", a list each with the numbers of the segments, and "hashcode", what bert-score
    calls its setting, with the name of a model in place of its path.
Examples:

    >>> import metrologue
    >>> bertscore = metrologue.load("bertscore")
    >>> texts = ["hello there", "general kenobi"]
    >>> results = bertscore.compute(predictions=texts, references=texts, lang="en")  # doctest: +SKIP
    >>> print([round(value, 2) for value in results["f1"]])  # doctest: +SKIP
    [1.0, 1.0]
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class BERTScore(MetricModule, evaluate.Metric):
    """BERTScore with the arguments and the result of the Hub's module of this name."""

    metric = "bertscore"
    default_variant = "bert-score"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            homepage="https://github.com/Tiiiger/bert_score",
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/Tiiiger/bert_score"],
            reference_urls=["https://github.com/Tiiiger/bert_score", "https://arxiv.org/abs/1904.09675"],
        )

    def _compute(
        self,
        predictions,
        references,
        lang=None,
        model_type=None,
        num_layers=None,
        verbose=False,
        idf=None,
        device=None,
        batch_size=64,
        nthreads=4,
        all_layers=False,
        rescale_with_baseline=False,
        baseline_path=None,
        use_fast_tokenizer=False,
        multi_reference=None,
        too_long=None,
        signature=False,
        per_segment=False,
    ):
        if all_layers:
            raise InputError("BERTScore: all_layers=True is not supported; give num_layers for one layer at a time.")
        if model_type is None and lang is None:
            raise InputError(
                "BERTScore: either `lang` (such as 'en') or `model_type` (such as 'roberta-large', or the path of a "
                "folder) must be given."
            )
        model_type = model_of_language(lang) if model_type is None else model_type
        fields = {"layer": num_layers, "idf": idf, "multi_reference": multi_reference, "too_long": too_long}
        with self._chosen(model=_encoder(model_type, device, batch_size), **fields) as scorer:
            if rescale_with_baseline:
                scorer = scorer.with_baseline(baseline_path or _own_baseline(lang, model_type))
            _, extras = self._score(scorer, predictions, references, signature, True)
        segments = extras["segments"] if per_segment else extras.pop("segments")
        told = hashcode(scorer, rescale_with_baseline, baseline_path is not None, use_fast_tokenizer)
        return {**{key: segments[key] for key in ("precision", "recall", "f1")}, "hashcode": told, **extras}


def _encoder(model, device, batch_size):
    if not isinstance(model, str | os.PathLike):
        return model
    options = {"device": device} if device is not None else {}
    try:
        return open_encoder(model, **options, **({"batch_size": batch_size} if batch_size != 64 else {}))
    except InputError as error:
        raise InputError(
            f"BERTScore: the model {os.fspath(model)!r} cannot be had: {error} Give `model_type`, the path of a folder."
        ) from error


def _own_baseline(lang, model):
    """The file of baselines that the package bert-score has for a language and a model."""
    if lang is None:
        raise InputError("BERTScore: rescaling needs `lang`, or a `baseline_path`.")
    spec = importlib.util.find_spec("bert_score")
    path = Path(spec.origin).parent / "rescale_baseline" / lang / f"{model}.tsv" if spec and spec.origin else None
    if path is None or not path.is_file():
        raise InputError(
            f"BERTScore: there is no baseline for {model} and {lang!r} here; give `baseline_path`, which "
            "`metrologue baseline` makes, or install bert-score, which has some."
        )
    return path
