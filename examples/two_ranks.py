"""A plain training loop on two ranks. After each epoch, BLEU and chrF of all sentences: no rank sends its texts.

python examples/two_ranks.py
"""

import itertools
import tempfile

import torch
import torch.multiprocessing as processes
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from metrologue.integrations.torch import ScorerMetric
from metrologue.scorers import Bleu, Chrf

RANKS = 2
ENGLISH = ["the", "a", "small", "old", "cat", "dog", "bird", "sees", "hears", "loves"]
GERMAN = ["die", "eine", "kleine", "alte", "Katze", "Hündin", "Taube", "sieht", "hört", "liebt"]
# "the old cat sees a small dog", word by word; the two ranks get parts of unequal length.
SENTENCES = list(itertools.product((0, 1), (2, 3), (4, 5, 6), (7, 8, 9), (0, 1), (2, 3), (4, 5, 6)))[:211]


def train(rank: int, meeting: str) -> None:
    """What one rank does: it trains on its part, translates it, and counts what it got right."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=RANKS)
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Sequential(nn.Embedding(len(ENGLISH), 8), nn.Linear(8, len(GERMAN))))
    optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
    words = torch.tensor(SENTENCES[rank::RANKS])
    references = [" ".join(GERMAN[word] for word in sentence) for sentence in words]
    metrics = {"BLEU": ScorerMetric(Bleu()), "chrF": ScorerMetric(Chrf())}
    for epoch in range(1, 9):
        optimizer.zero_grad()
        logits = model(words)
        nn.functional.cross_entropy(logits.flatten(0, 1), words.flatten()).backward()
        optimizer.step()

        predictions = [" ".join(GERMAN[word] for word in sentence) for sentence in logits.argmax(-1)]
        for metric in metrics.values():
            metric.update(predictions, references)
        scores = {name: float(metric.compute()) for name, metric in metrics.items()}  # the ranks exchange totals
        if rank == 0:
            shown = ", ".join(f"{name} {score:.2f}" for name, score in scores.items())
            print(f"epoch {epoch}: {shown} on {len(SENTENCES)} sentences")
        for metric in metrics.values():
            metric.reset()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        processes.spawn(train, args=(f"{folder}/meeting",), nprocs=RANKS)
