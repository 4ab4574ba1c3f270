"""BERTScore for `evaluate`, with the arguments and numbers of the Hub's metric of this name."""

import evaluate

from metrologue.bridge import VectorModule  # From: -e CHECKOUT-OF-METROLOGUE

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
    all_layers: whether every layer is scored, the lowest first. Each number is then a list of lists: one for each
        layer, with one number for each segment.
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
    >>> from metrologue.representations import FunctionEncoder
    >>> encoder = FunctionEncoder("lengths", lambda texts: [[[len(w), 1] for w in t.split()] for t in texts], "1")
    >>> results = bertscore.compute(predictions=["hello there"], references=["hello there"], model_type=encoder)
    >>> print([round(value, 2) for value in results["f1"]])
    [1.0]
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class BERTScore(VectorModule, evaluate.Metric):
    """BERTScore with the arguments and the result of the Hub's module of this name."""

    metric = "bertscore"
    default_variant = "bert-score"
    renamed = (("model", "model_type"), ("layer", "num_layers"))

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
        model = self._model_for(lang, model_type)
        fields = {"layer": num_layers, "idf": idf, "multi_reference": multi_reference, "too_long": too_long}
        with self._chosen(model=self._encoder(model, device, batch_size), **fields) as scorer:
            scorers = self._layers(scorer, predictions, references) if all_layers else [scorer]
            if rescale_with_baseline:
                scorers = [self._rescaled(each, lang, model, baseline_path) for each in scorers]
            found = [self._score(each, predictions, references, signature, True)[1] for each in scorers]
        extras = {key: [each[key] for each in found] for key in found[0]} if all_layers else found[0]
        segments = extras["segments"] if per_segment else extras.pop("segments")
        numbers = {
            key: [each[key] for each in segments] if all_layers else segments[key]
            for key in ("precision", "recall", "f1")
        }
        setting = self._hashcode(scorer, rescale_with_baseline, baseline_path is not None, use_fast_tokenizer)
        return {**numbers, "hashcode": setting, **extras}
