"""cpWER for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Cpwer(MetricModule, evaluate.Metric):
    """Word error rate over speakers, as meeteval has it.

    Concatenated minimum-permutation word error rate, for transcripts with several speakers, as meeteval computes it.

    Args:
        speakers (list[list[str]]): the speaker of each text of a prediction. The texts of a speaker are joined by
            spaces, in their order. Without it, each text is of a speaker of its own.
        reference_speakers (list[list[str]]): the same for the references. Either may be left out.

    Returns:
        cpwer (`float`): 0 or more; lower is better. 0 means that each speaker has all words of another one.
        hits, substitutions, deletions, insertions (`int`): the words of all pairs of speakers. Among the shortest
            alignments, they are those of the one that Kaldi picks, as in meeteval.
        missed_speakers, false_alarm_speakers (`int`): by how many speakers the reference has more, and the hypothesis.

    Examples:

        >>> import metrologue
        >>> cpwer = metrologue.load("cpwer")
        >>> predictions = [["fine thanks", "how are you", "bye"]]
        >>> references = [["how are you", "fine thank you"]]
        >>> results = cpwer.compute(predictions=predictions, references=references)
        >>> results["cpwer"], results["deletions"], results["substitutions"], results["false_alarm_speakers"]
        (0.5, 1, 1, 1)
    """

    metric = "cpwer"
    default_variant = "meeteval"
    reported = None
    programs = ("https://github.com/fgnt/meeteval",)
