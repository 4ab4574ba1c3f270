"""The training of a network that checks claims: its torch module, with masks, and the loss of FactCCX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features, Tokens
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.rivals import rival_scores
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training.loop import Steps, arrays_in, descend, imported_torch
from metrologue.scorers.factcc.examples import ClaimExamples, read_claims
from metrologue.scorers.factcc.network import LAYERS, ClaimNetwork, TokenRows, unit

_NONE = -1e9  # the logit of a token that is not there


@dataclass(frozen=True)
class ClaimRows:
    """Claims as a network reads them.

    Attributes
    ----------
    claims, sources : sequence of float32 (tokens, d)
        Rows of length 1.
    labels : float64 (n,)
        1 for a right claim.
    errors, supports : int64 (n, 2)
        The first and the last token of the error in the claim, and of the support in the source; -1: none.
    """

    claims: Sequence[np.ndarray]
    sources: Sequence[np.ndarray]
    labels: np.ndarray
    errors: np.ndarray
    supports: np.ndarray

    def take(self, rows: np.ndarray) -> ClaimRows:
        """Some rows."""
        return ClaimRows(
            [self.claims[row] for row in rows],
            [self.sources[row] for row in rows],
            self.labels[rows],
            self.errors[rows],
            self.supports[rows],
        )

    @classmethod
    def joined(cls, parts: Sequence[ClaimRows]) -> ClaimRows:
        """The rows of all parts."""
        return cls(
            [claim for part in parts for claim in part.claims],
            [source for part in parts for source in part.sources],
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("labels", "errors", "supports")),
        )


@dataclass(frozen=True, kw_only=True)
class ClaimTrainer(Steps):
    """How a network that checks claims is trained.

    Attributes
    ----------
    width : int
        Of what each token becomes.
    layer : int or None
        The encoder's layer; None: two thirds of the way up.
    spans : float
        The weight of the places of error and support in the loss, as FactCCX has it; 0: they are not learned.
    """

    epochs: int = 8
    batch: int = 32
    rate: float = 1e-3
    decay: float = 0.0
    patience: int = 2
    width: int = 48
    layer: int | None = None
    spans: float = 0.1

    @property
    def about(self) -> str:
        return f"tokens that look for their like in the source, width {self.width}, and spans weigh {self.spans:g}"

    def fit(self, rows: ClaimRows, layer: int, groups: Sequence[str] | None, **run: Any) -> ClaimNetwork:
        """The network, from rows with the vectors of this layer of the encoder."""
        torch = imported_torch()
        width = next(len(each[0]) for each in (*rows.claims, *rows.sources) if len(each))

        def loss(module: Any, places: Any) -> Any:
            # A part that is set aside may be long: its pairs are read in parts of a step.
            parts = torch.split(places, self.batch)
            losses = [claim_loss(module, rows.take(part.numpy()), self.spans) * len(part) for part in parts]
            return sum(losses) / len(places)

        module = descend(self.alone, lambda: make_checker(width, self.width), loss, len(rows.labels), groups, **run)
        return ClaimNetwork(arrays_in(module), layer)


def make_checker(inputs: int, width: int) -> Any:
    """The module: what ``ClaimNetwork`` computes, of several pairs at once."""
    torch = imported_torch()
    sizes = {
        "project": (inputs, width), "compare": (4 * width + 2, width), "around": (3 * width, width),
        "label": (2 * width + 2, 1), "claim_span": (width, 2), "source_span": (width, 2),
    }  # fmt: skip
    module = torch.nn.Module()
    for name in LAYERS:
        module.add_module(name, torch.nn.Linear(*sizes[name]))
    module.register_parameter("sharpness", torch.nn.Parameter(torch.tensor(10.0)))
    return module


def _padded(torch: Any, matrices: Sequence[np.ndarray]) -> tuple[Any, Any]:
    """Matrices side by side, (n, longest, d), and which rows there are."""
    longest, width = max(map(len, matrices)), matrices[0].shape[1]
    found = np.zeros((len(matrices), longest, width), np.float32)
    there = np.zeros((len(matrices), longest), np.bool_)
    for row, matrix in enumerate(matrices):
        found[row, : len(matrix)], there[row, : len(matrix)] = matrix, True
    return torch.from_numpy(found), torch.from_numpy(there)


def outputs(module: Any, claims: Sequence[np.ndarray], sources: Sequence[np.ndarray]) -> tuple[Any, Any, Any]:
    """The logit of each pair (n,), and those of the places in the claims and in the sources, (n, tokens, 2)."""
    torch = imported_torch()
    (own, own_there), (its, its_there) = _padded(torch, claims), _padded(torch, sources)
    cosines = own @ its.transpose(1, 2)
    projected = module.project(own), module.project(its)
    ours, extra = _read(torch, module, cosines, *projected, own_there, its_there)
    theirs, _ = _read(torch, module, cosines.transpose(1, 2), *projected[::-1], its_there, own_there)
    missing = ~own_there[..., None]
    count = own_there.sum(dim=1, keepdim=True)
    best = extra[..., 0]
    pooled = [
        ours.masked_fill(missing, _NONE).amax(dim=1),
        ours.masked_fill(missing, 0).sum(dim=1) / count,
        best.masked_fill(~own_there, 2).amin(dim=1, keepdim=True),
        best.masked_fill(~own_there, 0).sum(dim=1, keepdim=True) / count,
    ]
    spans = module.claim_span(ours).masked_fill(missing, _NONE), module.source_span(theirs)
    return module.label(torch.cat(pooled, dim=1))[:, 0], spans[0], spans[1].masked_fill(~its_there[..., None], _NONE)


def _read(torch: Any, module: Any, cosines: Any, own: Any, its: Any, own_there: Any, its_there: Any) -> tuple[Any, Any]:
    known = cosines.masked_fill(~its_there[:, None, :], -2)
    weights = torch.softmax((module.sharpness * cosines).masked_fill(~its_there[:, None, :], _NONE), dim=2)
    places = weights @ torch.arange(cosines.shape[2], dtype=weights.dtype)
    steps = torch.diff(places, dim=1, prepend=places[:, :1] - 1)
    extra = torch.stack([known.amax(dim=2), torch.tanh(steps / 4 - 0.25)], dim=2)
    found = weights @ its
    compared = torch.cat([own, found, (own - found).abs(), own * found, extra], dim=2)
    rows = torch.relu(module.compare(compared)) * own_there[..., None]
    around = torch.nn.functional.pad(rows, (0, 0, 1, 1))
    return torch.relu(module.around(torch.cat([around[:, :-2], rows, around[:, 2:]], dim=2))), extra


def claim_loss(module: Any, rows: ClaimRows, spans: float) -> Any:
    """The mean loss: of the label, and `spans` times the mean of those of the four ends that are known."""
    torch = imported_torch()
    logits, claim, source = outputs(module, rows.claims, rows.sources)
    function = torch.nn.functional
    labels = torch.from_numpy(rows.labels.astype(np.float32))
    loss = function.binary_cross_entropy_with_logits(logits, labels)
    if not spans:
        return loss
    ends = []
    for found, wanted in ((claim, rows.errors), (source, rows.supports)):
        targets = torch.from_numpy(wanted)
        known = targets[:, 0] >= 0
        for end in (0, 1):
            # The mean over all rows: a part without errors has a loss too.
            each = function.cross_entropy(found[known][..., end], targets[known, end], reduction="sum")
            ends.append(each / len(rows.labels))
    return loss + spans * sum(ends) / len(ends)


def token_rows(encoder: Any, layer: int, examples: ClaimExamples) -> ClaimRows:
    """Claims as a network reads them. Raises an InputError if a claim or a source has no tokens."""
    sources = [own[0] for own in examples.references]
    texts = TokenRows(encoder, layer, [*examples.predictions, *sources])
    for name, column in (("predictions", examples.predictions), ("references", sources)):
        for row, text in enumerate(column):
            if not len(texts.vectors[text]):
                raise InputError.at("train", name, row, " has no tokens; a claim and its source need some.")
    vectors = {text: unit(each).astype(np.float32) for text, each in texts.vectors.items()}
    return ClaimRows(
        [vectors[text] for text in examples.predictions],
        [vectors[text] for text in sources],
        examples.targets,
        np.array([texts.place(*each) for each in zip(examples.predictions, examples.errors, strict=True)], np.int64),
        np.array([texts.place(*each) for each in zip(sources, examples.supports, strict=True)], np.int64),
    )


def scores_of(network: ClaimNetwork, rows: ClaimRows) -> Floats:
    """The probability of each claim, (n,)."""
    return np.array([network(*pair).right for pair in zip(rows.claims, rows.sources, strict=True)])


def train_factcc(examples: Examples, asked: Asked) -> TrainedModel:
    """A model of FactCC, from claims with labels."""
    examples.check_varied()
    trainer = asked.trainer_or(ClaimTrainer(), "factcc has a network of its own; leave the trainer out.")
    part = Tokens.of(asked.one_encoder())
    encoder, features = part.encoder.encoder, Features((part,))
    layer = _layer(encoder.layers, trainer.layer)
    parts = [ClaimExamples.of(each) for each in (examples, asked.test) if each is not None]
    rows, groups = ClaimRows.joined([token_rows(encoder, layer, each) for each in parts]), parts[0].groups

    def fit(chosen: np.ndarray, **run: Any) -> ClaimNetwork:
        named = None if groups is None else [groups[row] for row in chosen]
        return trainer.fit(rows.take(chosen), layer, named, **run)

    def rivals() -> dict[str, Floats]:
        scores = [rival_scores(each, features) for each in parts]
        return {name: np.concatenate([each[name] for each in scores]) for name in scores[0]}

    return asked.model(
        parts[0], features, trainer.about, fit, lambda network, chosen: scores_of(network, rows.take(chosen)), rivals
    )


def _layer(last: int, asked: int | None) -> int:
    layer = round(last * 2 / 3) if asked is None else asked
    if not 0 <= layer <= last:
        raise InputError(f"train: the encoder has the layers 0 to {last}, and no layer {layer}.")
    return layer


RECIPE = Recipe(
    "the vectors of the tokens of one encoder",
    ClaimTrainer,
    encoders=True,
    labels=True,
    made=train_factcc,
    reader=read_claims,
)
