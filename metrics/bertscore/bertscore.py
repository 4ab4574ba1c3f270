"""BERTScore for `evaluate`, with the arguments and numbers of the Hub's metric of this name."""

import evaluate

from metrologue.bridge import VectorModule  # From: -e CHECKOUT-OF-METROLOGUE


class BERTScore(VectorModule, evaluate.Metric):
    """BERTScore with the arguments and the result of the Hub's module of this name.

    BERTScore compares each token of a text with the most similar token of the other text. The similarity of two tokens
    is the cosine of the vectors that a language model gives them in their context. It needs an encoder.

    Args:
        lang: code of the language of the texts, such as "en"; it picks the model if model_type is left out.
        model_type: folder of a model of transformers or its name on the Hub, a file of word vectors, a loaded
            `(model, tokenizer)` or `SentenceTransformer`, or an encoder of `metrologue.representations`.
        model: another name of model_type.
        num_layers: layer that gives the vectors; by default the one that bert-score has for a model of this name,
            otherwise the last.
        verbose: taken for the Hub's sake; a progress bar comes on a terminal if the work takes long.
        device: "cpu", "cuda" or "gpu", "cuda:1", "mps"; by default "cuda" if it is there.
        batch_size: how many texts go through the model at once.
        nthreads: taken for the Hub's sake; no processes are started.
        all_layers: whether every layer is scored, the lowest first. Each number is then a list of lists: one for each
            layer, with one number for each segment.
        rescale_with_baseline: whether scores are rescaled, so that unrelated texts get 0.
        baseline_path: file of baselines; by default that of the package bert-score for `lang` and the model.
        use_fast_tokenizer: taken for the Hub's sake; transformers has one tokenizer for a model.

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

    metric = "bertscore"
    default_variant = "bert-score"
    hub_names = {"model": "model_type", "layer": "num_layers"}
    programs = ("https://github.com/Tiiiger/bert_score",)

    def _fields(
        self, lang=None, model_type=None, num_layers=None, verbose=False, device=None, batch_size=64, nthreads=4,
        all_layers=False, rescale_with_baseline=False, baseline_path=None, use_fast_tokenizer=False, model=None,
    ):  # fmt: skip
        encoder = self._encoder(self._model_for(lang, model_type or model), device, batch_size)
        return {"model": encoder, "layer": num_layers}

    def _answer(self, scorer, segments, call):
        given, lang = call.hub, call.hub.get("lang")
        scorers = self._layers(scorer, segments) if given.get("all_layers") else [scorer]
        path, rescales = given.get("baseline_path"), given.get("rescale_with_baseline", False)
        if rescales:
            scorers = [self._rescaled(each, lang, path) for each in scorers]
        found = [self._each(each, segments, call)[1:] for each in scorers]
        several = given.get("all_layers", False)
        numbers = {
            key: [each[key] for each, _ in found] if several else found[0][0][key]
            for key in ("precision", "recall", "f1")
        }
        extras = {key: [own[key] for _, own in found] if several else found[0][1][key] for key in found[0][1]}
        setting = self._hashcode(scorer, rescales, path is not None, given.get("use_fast_tokenizer", False))
        return {**numbers, "hashcode": setting, **extras}
