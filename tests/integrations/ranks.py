"""Two ranks with uneven parts, of which one may be empty; each writes what it gets.

usage: ranks.py RANK FOLDER
"""

import json
import pickle
import sys
from pathlib import Path

import torch.distributed as distributed
from layouts import rows_of

from metrologue.errors import InputError
from metrologue.integrations.torch import ScorerMetric, merged
from metrologue.scorers import Bleu


def main() -> None:
    rank, folder = int(sys.argv[1]), Path(sys.argv[2])
    jobs = pickle.loads((folder / "jobs").read_bytes())
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    found = []
    for scorer, columns, cut in jobs:
        part = slice(0, cut) if rank == 0 else slice(cut, None)
        own = {name: rows[part] for name, rows in columns.items()}
        totals = merged(scorer.accumulate(**own, first=rank * cut))
        row = {"merged": scorer.score_totals(totals).scores}
        if not scorer.about.by_index:
            metric = ScorerMetric(scorer, keys=[*row["merged"]])
            size = len(own["predictions"])
            for batch in (rows_of(own, start, start + 3) for start in range(0, size, 3)):  # several, or none
                metric.update(batch.pop("predictions"), batch.pop("references", None), **batch)
            for _ in range(2):
                row["metric"] = {key: value.item() for key, value in metric.compute().items()}
                metric._computed = None  # the second time, the ranks meet again
            if size:
                expected = {key: float(value) for key, value in scorer.corpus(**own).scores.items()}
                alone = metric(own.pop("predictions"), own.pop("references", None), **own)
                row["forward"] = {key: value.item() for key, value in alone.items()} == expected
        found.append(row)
    try:
        merged(Bleu(lowercase=bool(rank)).accumulate(["a"], ["a"]))
    except InputError as error:
        found.append(str(error))
    (folder / f"rank-{rank}.json").write_text(json.dumps(found))
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
