"""Numbers of a library in this interpreter: of every variant that mirrors it, under the options that the tests draw.

    python -m tools.drift.measured LIBRARY EXAMPLES

prints them as JSON: the version, and for each variant its calls. A call has texts, options, and a row of numbers for
the corpus and for each segment, or null where the library gives none; for the corpus, it also has the reason. The calls
are the same in every run; each text is scored with the variant's own options first, and then with others.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import warnings
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from parity.test_contract import CONTRACTS, Contract, texts_for
from strategies import Corpus

from metrologue.comparison.libraries import Missing, get_library

# The first corpus is for people to read.
FIRST: Corpus = (["the cat sat on the mat", "a b c"], [["the cat sat"], ["a x c d"]])


def measured(contract: Contract, examples: int) -> dict[str, Any]:
    """The calls of a variant."""
    drawn: list[tuple[dict[str, Any], Corpus]] = [({}, FIRST)]

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=[*HealthCheck],
    )
    @given(call=contract.peer.calls or st.just(({}, {})), corpus=texts_for(contract.metric))
    def collect(call: Any, corpus: Corpus) -> None:
        drawn.append(({}, corpus))
        if call[0]:
            drawn.append((call[0], corpus))

    collect()
    calls = []
    for options, corpus in drawn:
        texts = contract.corpus(corpus)
        own = {**contract.variant.options, **options}
        rows = [contract.live(own, *texts), *contract.live_rows(own, *texts)]
        why = reason(contract, own, texts) if rows[0] is None else None
        bits = [row and {key: float(value).hex() for key, value in row.items()} for row in rows]
        calls.append({"texts": texts, "options": options, "rows": bits, "why": why})
    return {"calls": calls}


def reason(contract: Contract, options: dict[str, Any], texts: Corpus) -> str | None:
    """Why a call gives no number, in a line; None if it gives one that is not finite."""
    try:
        contract.library.scores(contract.call, *texts, **options)
    except Exception as error:  # each library fails in its own way
        return in_a_line(error)
    return None


def in_a_line(error: Exception) -> str:
    """The first line of an error that says something, without the paths of this machine."""
    told = re.sub(r" \(/[^)]*\)", "", str(error))
    lines = [line.strip() for line in told.split("\n") if line.strip(" *")]
    return f"{type(error).__name__}: {lines[0]}"[:160] if lines else type(error).__name__


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
                variants[str(contract)] = measured(contract, examples)
            except Exception as error:  # a function that this version does not have
                variants[str(contract)] = {"calls": [], "why": in_a_line(error)}
    print(json.dumps({"version": str(status), "variants": variants}, default=repr))


if __name__ == "__main__":
    main()
