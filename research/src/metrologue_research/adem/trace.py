"""The trace of ADEM: what each term of the score adds, and what the model reaches."""

from __future__ import annotations

import numpy as np

from metrologue.learned.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace, reference_names, short
from metrologue_research.adem import Adem
from metrologue_research.adem.network import BilinearNetwork

_LETTERS = {"context": "c M s", "reference": "r N s"}


def build(scorer: Adem, segment: Segments) -> Trace:
    """The trace of one segment."""
    network, _ = scorer._trained.with_encoder(BilinearNetwork)
    products = scorer._products(segment)
    factor = scorer.scale * (4 if scorer.rescaling == "ratings" else 1) / network.spread
    names = reference_names(len(products))
    rows = [
        Row(cells=(f"{_LETTERS[term]}, {name}", float(value), factor * float(value)))
        for name, own in zip(names, products, strict=True)
        for term, value in zip(network.terms, own, strict=True)
    ]
    best = int(np.argmax(products.sum(axis=1)))
    ratio = f"({' + '.join(map(short, products[best]))} - {short(network.start)})/{short(network.spread)}"
    whole = f"3 + 4·{ratio}" if scorer.rescaling == "ratings" else ratio
    one = scorer.multi_reference == "best" or len(products) == 1
    factor_of = "" if scorer.scale == 1 else f"{short(scorer.scale)}·"
    shown = f"{factor_of}({whole})" if factor_of else whole
    terms = Table(
        name="terms",
        header=("product", "value", "adds"),
        rows=tuple(rows),
        caption=(
            f"s is the response, c the context, r the reference; before the training, products had the mean "
            f"{short(network.start)} and the range {short(network.spread)}"
        ),
        summary=f"{len(rows)} products",
    )
    return trace_of(scorer, segment, [terms], f"adem = {shown if one else f'the mean over {len(products)} references'}")
