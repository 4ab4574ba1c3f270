"""Other processes: a fork, and two that are spawned with a pickled module and score together as ranks.

Twice both ranks have rows, the third time only the first one has.

usage: ranks.py FOLDER CACHE COLUMNS
"""

import json
import multiprocessing
import sys
from pathlib import Path

import evaluate


def alone(name, module, data, cache):
    Path(cache, f"{name}.json").write_text(json.dumps(module.compute(**data)))


def rank(number, module, data, cache, folder, barrier):
    alone(f"alone-{number}", module, data, cache)
    member = evaluate.load(folder, num_process=2, process_id=number, experiment_id="ranks", cache_dir=cache)
    together = []
    own = {name: column[number::2] for name, column in data.items()}
    first = {name: column[:2] if number == 0 else [] for name, column in data.items()}
    for rows in (own, own, first):
        # Without it, one rank could begin the next round while the other still ends the last.
        barrier.wait(60)
        member.add_batch(**rows)
        together.append(member.compute(per_segment=True))
    Path(cache, f"together-{number}.json").write_text(json.dumps(together))


def main():
    folder, cache, columns = sys.argv[1:]
    data = json.loads(columns)
    module = evaluate.load(folder, cache_dir=cache)
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(2)
    children = [spawn.Process(target=rank, args=(n, module, data, cache, folder, barrier)) for n in range(2)]
    if "fork" in multiprocessing.get_all_start_methods():
        fork = multiprocessing.get_context("fork")
        children.append(fork.Process(target=alone, args=("alone-fork", module, data, cache)))
    for child in children:
        child.start()
    for child in children:
        child.join()
    sys.exit(max(abs(child.exitcode) for child in children))


if __name__ == "__main__":
    main()
