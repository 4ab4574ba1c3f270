"""A scorer and a metric of inspect_ai: chrF of each sample, and of all samples together.

python examples/inspect_metric.py       (pip install inspect_ai)
"""

import tempfile

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import SampleScore, Score, Target, metric, scorer

from metrologue.scorers import Chrf

CHRF = Chrf.variant("sacrebleu")


@metric
def corpus_chrf():
    """The score of all samples at once: a mean of sample scores would be another number."""

    def compute(scores: list[SampleScore]):  # without the type, inspect_ai passes the scores alone
        pairs = [(each.score.answer, each.score.metadata["references"]) for each in scores]
        return CHRF.corpus(*map(list, zip(*pairs, strict=True))).value

    return compute


@scorer(metrics=[corpus_chrf()])
def chrf():
    async def score(state, target: Target):
        said, references = state.output.completion, list(target)
        value = float(CHRF.segments([said], [references])[0])
        return Score(value=value, answer=said, metadata={"references": references})

    return score


if __name__ == "__main__":
    answers = [ModelOutput.from_content("mockllm/model", text) for text in ("the cat sat", "a dog ran off")]
    for answer in answers:
        answer.usage = ModelUsage()  # otherwise inspect_ai downloads a tokenizer to count tokens
    samples = [Sample(input="1", target=["a cat sat", "the cat was sitting"]), Sample(input="2", target="a dog ran")]
    model = get_model("mockllm/model", custom_outputs=answers)
    (log,) = eval(Task(samples, scorer=chrf()), model=model, display="none", max_samples=1, log_dir=tempfile.mkdtemp())
    print(f"chrF {log.results.scores[0].metrics['corpus_chrf'].value:.4f}  {CHRF.signature}")
