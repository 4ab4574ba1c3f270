"""PEAK for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
PEAK, the pyramid method over triples of subject, predicate and object: those that are alike in several models weigh
more.
"""

_INPUTS = """
Args:
    predictions (list of lists of triples, or list[str]): the triples of each summary, tuples of three strings, or a
        text that spells them, such as `a train | hit | a truck; nobody | was | hurt`; with `dependency`, any texts.
    references (list of lists of lists of triples, or list[list[str]]): those of the models of each summary.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        summaries' own scores.
    scale (float, default 1.0): The value of a perfect score.
    tokenizer (str or function, default "whitespace"): What cuts phrases into words.
    lowercase (bool, default True): Whether to apply `str.lower()` to phrases first.
    repeats ("once" or "each", default "once"): A unit that a summary expresses several times. `once`: it counts once.
        `each`: its weight counts once, but for the size of the summary it counts each time.
    average ("nearest" or "floor" or "exact", default "nearest"): The number of SCUs that a model has on average, if it
        is not whole. `nearest`: the nearest int; halves are rounded up. `floor`: the int below it. `exact`: it is left
        as it is, and an ideal summary has a part of its last SCU.
    capped (bool, default False): Whether a modified score above 1 counts as 1.
    ideal ("models" or "summary" or "both", default "models"): How many SCUs an ideal summary has. `models`: as many as
        a model has on average: the modified score. `summary`: as many as the summary has units: the original score.
        `both`: the harmonic mean of both scores.
    triples ("given" or "dependency", default "given"): Where triples come from. `given`: they are given, as lists or as
        texts that spell them: 'a | b | c; d | e | f'. `dependency`: from the relations that the `parser` finds in
        texts.
    parser (parser, pipeline or file, default None): What finds triples in texts: the name of a pipeline of spaCy, or
        its folder; a file of parses in CoNLL-U; or a parser of `metrologue.representations.parses`. It plays no part
        for given triples.
    threshold (float, default 0.5): The least similarity of phrases, and of triples, that are alike.
    salience (int, default 1): In how many other models there must be parts like the subject and the object that begin
        an SCU.
    alone ("keep" or "drop", default "keep"): A triple that is like none of another model. `keep`: it is an SCU of
        weight 1. `drop`: it is no SCU.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single summaries.

    An argument that is left out has the variant's value. The defaults shown are those of "triples".
Returns:
    peak (`float`): the score, 0 or more; higher is better.
    original (`float`): 0 to 1; higher is better. 1 means that no summary of this size could have a greater weight.
    modified (`float`): 0 or more; higher is better. 1 is the weight of an ideal summary with the size of a model.
Examples:

    >>> import metrologue
    >>> peak = metrologue.load("peak")
    >>> one = [("a train", "hit", "a truck"), ("nobody", "was", "hurt")]
    >>> other = [("the train", "hit", "a truck"), ("it", "was", "raining")]
    >>> peak.compute(predictions=[[("a train", "hit", "a red truck")]], references=[[one, other]])
    {'peak': 0.6666666666666666, 'original': 1.0, 'modified': 0.6666666666666666}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Peak(MetricModule, evaluate.Metric):
    """The pyramid method over triples, without people."""

    metric = "peak"
    default_variant = "triples"
    reported = ("peak", "original", "modified")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        tokenizer=None,
        lowercase=None,
        repeats=None,
        average=None,
        capped=None,
        ideal=None,
        triples=None,
        parser=None,
        threshold=None,
        salience=None,
        alone=None,
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
            tokenizer=tokenizer,
            lowercase=lowercase,
            repeats=repeats,
            average=average,
            capped=capped,
            ideal=ideal,
            triples=triples,
            parser=parser,
            threshold=threshold,
            salience=salience,
            alone=alone,
        )
