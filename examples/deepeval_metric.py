"""A metric of deepeval: a test case passes if its chrF reaches a threshold.

python examples/deepeval_metric.py      (pip install deepeval)
"""

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from metrologue.scorers import Chrf

CHRF = Chrf.variant("sacrebleu")


class ChrfMetric(BaseMetric):
    """The score is from 0 to 1, as deepeval's are."""

    def __init__(self, threshold=0.5):
        self.threshold, self.async_mode = threshold, False

    def measure(self, test_case, *args, **kwargs):
        found = CHRF.corpus([test_case.actual_output], [test_case.expected_output])
        self.score = found.value / CHRF.scale
        self.success = self.score >= self.threshold
        self.reason = found.signature
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "chrF"


if __name__ == "__main__":
    metric = ChrfMetric(threshold=0.7)
    for said in ("the cat sat on the mat", "no cats here"):
        metric.measure(LLMTestCase(input="Where is it?", actual_output=said, expected_output="the cat sat on a mat"))
        print(f"{metric.score:.4f} {'passes' if metric.is_successful() else 'fails'}  {said}")
    print(metric.reason)
