"""Numbers of a library in this interpreter: of every variant that mirrors it, under the options that the tests draw.

    python -m tools.drift.measured LIBRARY EXAMPLES

prints them as JSON: the version, and for each variant the numbers by the example, the segment and the name. The
examples are the same in every run.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import warnings
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from parity.test_contract import CONTRACTS, Contract, texts_for
from strategies import Corpus

from metrologue.comparison.libraries import Missing, get_library


def numbers_of(contract: Contract, examples: int) -> dict[str, str]:
    """What the live call gives: the bits of each number, or "fails"."""
    drawn: list[tuple[Any, Corpus]] = [
        (({}, {}), (["the cat sat on the mat", "a b c"], [["the cat sat"], ["a x c d"]]))
    ]
    calls = contract.peer.calls or st.just(({}, {}))

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=[*HealthCheck],
    )
    @given(call=calls, corpus=texts_for(contract.metric))
    def collect(call: Any, corpus: Corpus) -> None:
        drawn.append((call, corpus))

    collect()
    found: dict[str, str] = {}
    for index, ((options, _), corpus) in enumerate(drawn):
        texts = contract.corpus(corpus)
        own = {**contract.variant.options, **options}
        for place, row in enumerate([contract.live(own, *texts), *contract.live_rows(own, *texts)]):
            values = {"": "fails"} if row is None else {key: float(value).hex() for key, value in row.items()}
            found |= {f"{index} {place} {key}": value for key, value in values.items()}
    return found


def main() -> None:
    name, examples = sys.argv[1], int(sys.argv[2])
    status = get_library(name).status()
    contracts = [each for each in CONTRACTS if each.variant.live and each.library.name == name]
    variants = {}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for contract in contracts:
            if contract.runs_a_program or isinstance(contract.library.status(contract.call), Missing):
                continue
            try:
                variants[str(contract)] = numbers_of(contract, examples)
            except Exception as error:  # a function that this version does not have
                variants[str(contract)] = {"all": f"fails: {error}"}
    print(json.dumps({"version": str(status), "variants": variants}))


if __name__ == "__main__":
    main()
