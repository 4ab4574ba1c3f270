"""A metric of lighteval that is computed on the whole corpus: what a task's `metrics` takes.

python examples/lighteval_metric.py     (pip install lighteval)
"""

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.sample_preparator import GenerativePreparator
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc, SamplingMethod

from metrologue.scorers import Bleu

BLEU = Bleu.variant("sacrebleu")


class CorpusBleu(CorpusLevelComputation):
    def compute_corpus(self, items):
        """Of all documents; lighteval 0.13.0 itself compares the first prediction with the references of all."""
        return BLEU.corpus([item.preds[0] for item in items], [item.golds for item in items]).value


corpus_bleu = CorpusLevelMetric(
    metric_name="corpus_bleu", higher_is_better=True, category=SamplingMethod.GENERATIVE,
    sample_level_fn=GenerativePreparator(), corpus_level_fn=CorpusBleu(),
)  # fmt: skip

if __name__ == "__main__":
    pairs = {"the cat sat on the mat": ["the cat sat on a mat"], "a dog ran": ["a dog ran", "the dog was running"]}
    items = []
    for said, references in pairs.items():
        document = Doc(query="", choices=references, gold_index=list(range(len(references))))
        items.append(corpus_bleu.compute_sample(doc=document, model_response=ModelResponse(text=[said])))
    found = corpus_bleu.get_corpus_aggregations()["corpus_bleu"]([each["corpus_bleu"] for each in items])
    print(f"BLEU {found:.4f}  {BLEU.signature}")
