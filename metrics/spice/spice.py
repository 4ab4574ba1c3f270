"""SPICE for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
SPICE is the F1 of the objects, attributes and relations in the scene graphs of a caption and of its references.
"""

_INPUTS = """
Args:
    predictions (list of scene graphs, or list[str]): a scene graph is a list of tuples of one to three words: an
        object; an object and its attribute; a subject, its relation and an object. Lists may stand for tuples, as in
        JSON. With a `parser`, these are captions; without one, a text is the JSON of a scene graph.
    references (list of scene graphs or of lists of them, or list[str] or list[list[str]]): one reference for each
        prediction, or several.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        segments' own scores.
    scale (float, default 1.0): The score of a graph that equals that of its references.
    graphs ("given" or "rules", default "given"): Where scene graphs come from; `rules` by default if there is a
        `parser`, otherwise `given`. `given`: predictions and references are scene graphs; a text is the JSON of one.
        `rules`: predictions and references are texts; our rules make tuples of the parses of `parser`.
    parser (parser, pipeline or file, default None): What parses texts: the name of a pipeline of spaCy, its folder, a
        file in CoNLL-U, or a parser of `metrologue.representations.parses`. It gives lemmas, universal parts of speech
        and relations. It plays no part for graphs that are given.
    synonyms (str, default "meteor-1.5@fbe74cc1cf6d"): The sets of synonyms: "meteor-1.5" (its table, from WordNet 3.0)
        or a table of your own. None: only equal words are similar.
    merged_attributes ("none" or "any", default "none"): The class of an attribute that several words became, such as
        "gray" and "grey". `none`: it is no color, count or size. `any`: that of each of its words.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "spice".
Returns:
    spice (`float`): the mean F1 of the tuples, over the segments; 0 to 1 unless several tuples match the same one;
        higher is better.
    precision (`float`): the mean share of a caption's tuples that match.
    recall (`float`): the mean of matches per tuple of the references. It can be above 1, as in the authors' program,
        where several tuples may match the same one.
    object, attribute, relation (`float`): the mean F1 of tuples with one, two and three words, over the segments whose
        references have such tuples; 0 if there are none.
    color, count, size (`float`): the same of attributes from lists of words: 18 colors, the numbers from "one" to
        "ten", and 105 sizes.
Examples:

    >>> import metrologue
    >>> spice = metrologue.load("spice")
    >>> prediction = [("dog",), ("dog", "brown"), ("park",), ("dog", "run in", "park")]
    >>> reference = [("dog",), ("dog", "big"), ("park",), ("grass",), ("dog", "run in", "park")]
    >>> results = spice.compute(predictions=[prediction], references=[reference])
    >>> print({name: round(value, 4) for name, value in results.items() if value})
    {'spice': 0.6667, 'precision': 0.75, 'recall': 0.6, 'object': 0.8, 'relation': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Spice(MetricModule, evaluate.Metric):
    """Objects, attributes and relations that captions share."""

    metric = "spice"
    default_variant = "spice"
    reported = ("spice", "precision", "recall", "object", "attribute", "relation", "color", "count", "size")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/peteanderson80/SPICE"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        graphs=None,
        parser=None,
        synonyms=None,
        merged_attributes=None,
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
            graphs=graphs,
            parser=parser,
            synonyms=synonyms,
            merged_attributes=merged_attributes,
        )
