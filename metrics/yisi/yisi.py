"""YiSi for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
YiSi is the similarity of the n-grams, and if parses are given of the semantic frames, of a text and its reference.
Words weigh more the rarer they are.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score, as words with spaces between them.
    references (list[str] or list[list[str]]): one reference for each prediction, or several. For YiSi-2, the source of
        each translation.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The score of a text that equals its reference.
    multi_reference ("best-each", default "best-each"): How several references join. `best-each`: the greatest precision
        and the greatest recall, each on its own.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`. It plays no
        part if `vectors` depend on the context; such a model has its own tokens.
    vectors (encoder, path or name, default None): What gives words their vectors: a file of word vectors, a folder with
        a model of transformers, a name on the Hub, or an `Encoder`. None: words are compared by their longest common
        substring.
    source_vectors (encoder, path or name, default None): The word vectors of the other language, in the space of
        `vectors`, if the references are the sources of a translation. None: `vectors` has the words of both texts. It
        plays no part without `vectors`.
    layer (int, default None): The layer of a model of transformers. None: the last one. Other `vectors` have one layer.
    order (int, default 3): The length of n-grams, or of the shorter text if that is less.
    weights ("references" or "each" or "uniform", default "references"): What makes a word rare, and so weigh more.
        `references`: few references have it. `each`: few references have a word of a reference, or few hypotheses a
        word of a hypothesis. `uniform`: all words weigh the same.
    frames (labeller or files, default None): The semantic frames of the texts: a file of parses in CoNLL-09 or JSONL,
        several files, or a labeller of `metrologue.representations.frames`.
    role_weights (list of float, default None): The weights of 8 classes of roles: predicate, agent, patient,
        beneficiary, time, place, cause, manner. None: 1, and 1 more for each argument of its class in the references;
        for predicates 0.25 more each.
    role_match ("assigned" or "same", default "assigned"): Which arguments of two predicates match. `assigned`: those
        that are assigned to each other, in the precision only if they have one class of roles. `same`: those that are
        assigned to each other, among those of one class of roles.
    frame_weights ("length" or "uniform", default "length"): How much each frame of a text weighs. `length`: as many
        words as its predicate and arguments have. `uniform`: all weigh the same.
    counts (table, default None): How many texts have each word, and how often each class of roles occurs, as `fit`
        counts them. None: they come from the texts that are scored.
    without_frames ("zero" or "words", default "zero"): The similarity of frames, if neither a text nor its references
        have any. `zero`: it is 0. `words`: that of the words stands for it.
    beta (float, default 0.0): The part that frames have in precision and recall.
    alpha (float, default 0.8): The weight of the recall; that of precision is the rest.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "yisi-0".
Returns:
    yisi (`float`): the mean of the scores of the segments, 0 to 1; higher is better. Equal texts score 1.
    precision (`float`): the mean of the precisions, 0 to 1.
    recall (`float`): the mean of the recalls, 0 to 1.
Examples:

    >>> import metrologue
    >>> yisi = metrologue.load("yisi")
    >>> predictions = ["the cats sat on a mat", "the dog barks loud"]
    >>> references = ["the cat sat on the mat", "a dog barked loudly"]
    >>> results = yisi.compute(predictions=predictions, references=references)
    >>> print({name: round(value, 4) for name, value in results.items()})
    {'yisi': 0.7605, 'precision': 0.7655, 'recall': 0.7593}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Yisi(MetricModule, evaluate.Metric):
    """Similarity of words and frames, by how rare they are."""

    metric = "yisi"
    default_variant = "yisi-0"
    reported = ("yisi", "precision", "recall")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/chikiulo/yisi"],
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
        vectors=None,
        source_vectors=None,
        layer=None,
        order=None,
        weights=None,
        frames=None,
        role_weights=None,
        role_match=None,
        frame_weights=None,
        counts=None,
        without_frames=None,
        beta=None,
        alpha=None,
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
            vectors=vectors,
            source_vectors=source_vectors,
            layer=layer,
            order=order,
            weights=weights,
            frames=frames,
            role_weights=role_weights,
            role_match=role_match,
            frame_weights=frame_weights,
            counts=counts,
            without_frames=without_frames,
            beta=beta,
            alpha=alpha,
        )
