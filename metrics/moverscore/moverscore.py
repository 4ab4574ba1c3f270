"""MoverScore for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
MoverScore is 1 less the least distance by which the tokens of a text must move, as the vectors that a language model
gives them in their context, to become those of its reference.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score.
    references (list[str] or list[list[str]]): one reference for each prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The value of the score of equal texts.
    multi_reference ("best" or "mean", default "best"): How several references join. `best`: the one with the best
        score; ties: the first. `mean`: the mean of the scores.
    model (encoder, path or name, default None): The encoder: a folder with a model of transformers, a name on the Hub,
        a file of word vectors, an `Encoder`, or the name of one in use, as a signature has it. There is no score
        without one.
    too_long ("error" or "cut", default "cut"): What happens to a text that is longer than the model's context. `error`:
        it is refused. `cut`: its end is left out, and a warning counts such texts.
    layer (int, default None): The layer that gives the vectors; 0 is below the first one. None: the last.
    idf (bool, default False): Whether a token's weight is its inverse document frequency, or 1.
    document_frequency (table, default None): The references that have each type of token, as `fit` counts them. None:
        they come from the references that are scored. It plays no part without `idf`.
    pieces ("first" or "all", default "first"): Which pieces of a word count, if the tokenizer marks those after the
        first with two number signs, as BERT's does. `first`: the first one alone. `all`: all of them.
    punctuation (bool, default False): Whether a token counts that is a single mark of punctuation, of those of ASCII.
    added (bool, default True): Whether the tokens count that the model adds, such as [CLS].
    stop_words (str, default None): The tokens that are left out: "sklearn", "spacy", "nltk" or "rouge-1.5.5", where
        these are installed, or a list of your own. None: no token is.
    hypothesis_frequency (table, default None): The hypotheses that have each type of token, as `document_frequency` has
        the references.
    empty ("zero" or "one" or "error", default "one"): The score of a pair with a text of which no token has a weight.
        `zero`: 0. `one`: 1, because nothing moves, as in moverscore. `error`: it is refused.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the segments.

    An argument that is left out has the variant's value. The defaults shown are those of "moverscore".
Returns:
    moverscore (`float`): the mean score of the segments, -1 to 1; higher is better. 1 means that nothing moves. Scores
        of different models are not comparable, because unrelated tokens are nearer to each other in some than in
        others.
Examples:

    >>> import metrologue
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> encoder = FunctionEncoder("letters", letters, digest="1")
    >>> moverscore = metrologue.load("moverscore")
    >>> results = moverscore.compute(predictions=["a bad cab"], references=["a cab"], model=encoder)
    >>> print(round(results["moverscore"], 4))
    0.7107
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Moverscore(MetricModule, evaluate.Metric):
    """How far tokens move to become those of a reference."""

    metric = "moverscore"
    default_variant = "moverscore"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/AIPHES/emnlp19-moverscore"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        model=None,
        too_long=None,
        layer=None,
        idf=None,
        document_frequency=None,
        pieces=None,
        punctuation=None,
        added=None,
        stop_words=None,
        hypothesis_frequency=None,
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
            model=model,
            too_long=too_long,
            layer=layer,
            idf=idf,
            document_frequency=document_frequency,
            pieces=pieces,
            punctuation=punctuation,
            added=added,
            stop_words=stop_words,
            hypothesis_frequency=hypothesis_frequency,
            empty=empty,
        )
