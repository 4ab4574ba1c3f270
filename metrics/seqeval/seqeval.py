"""Entities of tagged tokens, with the arguments and the result of the Hub's `seqeval`."""

import evaluate

from metrologue.bridge import TagModule  # From: -e CHECKOUT-OF-METROLOGUE


class Seqeval(TagModule, evaluate.Metric):
    """Precision, recall and F1 of entities, with the arguments and the result of the Hub's module of this name.

    An entity is right if its type, its first and its last token are. Tags are such as B-PER, I-PER and O.

    Args:
        zero_division (int or str): the value of a share of no entities: 0, 1 or "warn", which is 0 with a warning.
        sample_weight (list of number): has no effect: the package takes weights and does not use them.

    Returns:
        For each type of entities a dict with precision, recall, f1 and number, that of the right entities; then
        overall_precision, overall_recall, overall_f1 and overall_accuracy.

    Examples:

        >>> import metrologue
        >>> seqeval = metrologue.load("seqeval")
        >>> predictions = [["B-PER", "I-PER", "O"], ["B-LOC", "O"]]
        >>> references = [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]
        >>> results = seqeval.compute(predictions=predictions, references=references)
        >>> results["PER"], results["overall_f1"]
        ({'precision': 1.0, 'recall': 1.0, 'f1': 1.0, 'number': 1}, 0.5)
    """

    metric = "seqeval"
    default_variant = "evaluate"
