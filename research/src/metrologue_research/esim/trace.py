"""The trace of ESIM: how much each token of one text attends to each of the other, and what the model reaches."""

from __future__ import annotations

import numpy as np

from metrologue.learned.trace import trace_of
from metrologue.representations.base import Encoder
from metrologue.representations.store import vector_store
from metrologue.segments import Segments
from metrologue.tracing import Block, Link, Matrix, Notes, Section, Trace, aligned_words, reference_names, short
from metrologue_research.esim import Esim
from metrologue_research.esim.network import EsimNetwork, kept_tokens

# A map of more tokens does not fit a page.
_MOST_TOKENS = 40


def build(scorer: Esim, segment: Segments) -> Trace:
    """The trace of one segment, with each of its references."""
    network, encoder = scorer._trained.with_encoder(EsimNetwork)
    text, references = segment.pair(0)
    texts = [text, *references]
    kept = kept_tokens(encoder, texts, network.layer, network.most_tokens)
    encoded = [network.encoded(kept.of(place)) for place in range(len(texts))]
    words = [_words(encoder, each, network) for each in texts]
    sections, scores = [], []
    for place, name in enumerate(reference_names(len(references)), 1):
        read = network.compared(encoded[place], encoded[0])
        scores.append(read.score)
        there = _map(
            f"of the hypothesis to {name}", ("hypothesis", "reference"), words[0], words[place], read.hypothesis
        )
        back = _map(f"of {name} to the hypothesis", ("reference", "hypothesis"), words[place], words[0], read.reference)
        sections.append(
            Section(
                name=name,
                title=f"{name}: {short(read.score)}",
                blocks=(_links(name, words[0], words[place], read.hypothesis), there, back),
                values={"esim": read.score},
            )
        )
    rule = {"best": "the best one counts", "mean": "the mean of the scores counts"}[scorer.multi_reference]
    several = [f"{len(scores)} references: {rule}"] if len(scores) > 1 else []
    return trace_of(scorer, segment, sections, remarks=several)


def _words(encoder: Encoder, text: str, network: EsimNetwork) -> tuple[str, ...]:
    """The tokens that the network has read; it has read one where there is none."""
    counted = vector_store().tokens(encoder, [text], (network.layer,)).counted
    found = [token for token, counts in zip(encoder.tokens(text), counted, strict=True) if counts]
    return tuple(found[: network.most_tokens]) or ("(nothing)",)


def _links(name: str, own: tuple[str, ...], its: tuple[str, ...], shares: np.ndarray) -> Block:
    """Each token of the hypothesis, with the token of the reference to which it attends most."""
    links = [
        Link(name=f"{shares[row, best]:.2f}", shape="circle", starts=(row, best), lengths=(1, 1))
        for row, best in enumerate(shares.argmax(axis=1).tolist())
    ]
    return aligned_words(("hypothesis", name), (list(own), list(its)), links)


def _map(
    name: str, axes: tuple[str, str], rows: tuple[str, ...], columns: tuple[str, ...], shares: np.ndarray
) -> Block:
    """The shares of the attention of each token; each row sums to 1, and its greatest share is marked."""
    if max(shares.shape) > _MOST_TOKENS:
        sizes = " and ".join(map(str, shares.shape))
        return Notes(lines=(f"{sizes} tokens; a map of attention is shown for {_MOST_TOKENS} at most",))
    return Matrix(
        name=f"attention {name}",
        axes=axes,
        labels=rows,
        columns=columns,
        cells=tuple(tuple(round(float(value), 2) + 0.0 for value in row) for row in shares),
        marked=tuple(enumerate(shares.argmax(axis=1).tolist())),
    )
