"""A Lightning module that logs BLEU of the whole validation set at the end of each epoch, also on several ranks.

python examples/lightning_module.py     (pip install lightning torchmetrics)
"""

import lightning
import torch
from torch.utils.data import DataLoader

from metrologue.integrations.torch import ScorerMetric
from metrologue.scorers import Bleu

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "it", "go", "home"]


class Copier(lightning.LightningModule):
    """It learns to copy a word: one layer for as many letters as there are words."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(len(WORDS), len(WORDS))
        self.bleu = ScorerMetric(Bleu())  # its counts are added over batches and ranks

    def forward(self, words):
        return self.layer(torch.nn.functional.one_hot(words, len(WORDS)).float())

    def training_step(self, words, index):
        return torch.nn.functional.cross_entropy(self(words).flatten(0, 1), words.flatten())

    def validation_step(self, words, index):
        said = self(words).argmax(-1)
        self.bleu.update(*([" ".join(WORDS[word] for word in row) for row in rows] for rows in (said, words)))
        self.log("bleu", self.bleu, on_epoch=True)

    def on_validation_epoch_end(self):
        print(f"BLEU {self.bleu.compute():.2f}")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 0.1)


if __name__ == "__main__":
    torch.manual_seed(0)
    rows = DataLoader(torch.randint(len(WORDS), (64, 8)), batch_size=16)
    quiet = {
        "logger": False,
        "enable_checkpointing": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
    }
    lightning.Trainer(max_epochs=4, accelerator="cpu", num_sanity_val_steps=0, **quiet).fit(Copier(), rows, rows)
