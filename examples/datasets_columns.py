"""A data set of Hugging Face: its score, counted by two processes, and a column with the score of each row.

python examples/datasets_columns.py --tiny
python examples/datasets_columns.py --data FILE.jsonl --predictions COLUMN --references COLUMN

The columns hold texts, and that of the references may hold lists of texts.
"""

import argparse

from datasets import Dataset

from metrologue.integrations.datasets import corpus, with_segment_scores
from metrologue.scorers import Bleu, Chrf


def tiny() -> Dataset:
    """A thousand invented pairs; in every tenth, the output has lost its last words."""
    reference = [f"it has rained for {number} days in the valley" for number in range(1000)]
    output = [text.removesuffix(" in the valley") if at % 10 == 3 else text for at, text in enumerate(reference)]
    return Dataset.from_dict({"output": output, "reference": reference})


def show(data: Dataset, predictions: str, references: str) -> None:
    """The scores of all rows, and the rows that have the lowest chrF."""
    for scorer in (Bleu(), Chrf()):
        result = corpus(scorer, data, predictions, references, num_proc=2, batch_size=250)
        print(f"{scorer.title} {result.value:.2f}  {result.signature}")

    # This is `map` of the data set: rows of a file that the same scorer has scored before come from its cache.
    scored = with_segment_scores(Chrf(), data, predictions, references, num_proc=2)
    print(f"mean chrF of a row: {sum(scored['chrf']) / len(scored):.2f}")
    poor = scored.filter(lambda row: row["chrf"] < 70)
    print(f"{len(poor)} rows are below 70")
    for row in scored.sort("chrf").select(range(3)):
        print(f"{row['chrf']:6.2f}  {row[predictions]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="rows that are made here")
    parser.add_argument("--data", help="rows, in JSON Lines")
    parser.add_argument("--predictions", default="output")
    parser.add_argument("--references", default="reference")
    given = parser.parse_args()
    if not given.tiny and not given.data:
        parser.error("--tiny, or --data")
    show(tiny() if given.tiny else Dataset.from_json(given.data), given.predictions, given.references)
