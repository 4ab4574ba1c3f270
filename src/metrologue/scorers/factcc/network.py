"""A network that checks a claim against its source: each token of the one looks for its like in the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.files.forms import record, whole
from metrologue.learned.architectures import ArrayNetwork
from metrologue.learned.arrays import check_arrays, check_width, shape_of, softmax
from metrologue.learned.pair_function import PairFunction
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.pairs import LABELS, EntailmentModel, Judged
from metrologue.representations.store import vector_store

Span = tuple[int, int]

# The arrays: of a layer, its weights (out, in) and its biases.
LAYERS = ("project", "compare", "around", "label", "claim_span", "source_span")
_EXTRA = 2  # features of a token beside vectors: its greatest cosine, and how far its place jumps


class Checked(NamedTuple):
    """What the network says of one claim.

    Attributes
    ----------
    right : float
        The probability that the claim says what the source says.
    claim : float64 (n, 2)
        How probably the error begins and ends at each token of the claim.
    source : float64 (m, 2)
        How probably the support begins and ends at each token of the source.
    """

    right: float
    claim: Floats
    source: Floats


def unit(vectors: Any) -> Floats:
    """Rows of length 1, in float64; zeros stay zeros."""
    rows = np.asarray(vectors, np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    scaled: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


@dataclass(frozen=True, eq=False)
class ClaimNetwork(ArrayNetwork):
    """Tokens look for their like by cosines; what they find is compared, and the neighbours are read with it.

    Raises an InputError if an array is missing, shapes do not fit together, or a number is not finite.

    Attributes
    ----------
    arrays : mapping of str to float64
        The weights and biases of ``LAYERS``, such as "compare.weight", and "sharpness", a number.
    layer : int
        The layer of the encoder whose vectors it reads.
    """

    architecture: ClassVar[str] = "claims"
    settings_form: ClassVar = record({"layer": whole(0, 1 << 16)})
    numbers: ClassVar = np.float64

    layer: int

    def __post_init__(self) -> None:
        width, own = shape_of("ClaimNetwork", self.arrays, "project.weight", 2)
        inputs = {"project": own, "compare": 4 * width + _EXTRA, "around": 3 * width, "label": 2 * width + _EXTRA}
        outputs = {"label": 1, "claim_span": 2, "source_span": 2}
        shapes: dict[str, tuple[int, ...]] = {"sharpness": ()}
        for name in LAYERS:
            size = outputs.get(name, width)
            shapes |= {f"{name}.weight": (size, inputs.get(name, width)), f"{name}.bias": (size,)}
        check_arrays("ClaimNetwork", self.arrays, shapes)

    @property
    def shape(self) -> str:
        """The widths of a token's vector, of what it becomes, and of what is compared."""
        width, inputs = self.arrays["project.weight"].shape
        return f"{inputs}-{width}-{4 * width + _EXTRA}-{width}-1"

    def __call__(self, claim: Any, source: Any) -> Checked:
        """What the network says of a claim, from the vectors of its tokens (n, d) and of its source's (m, d).

        Without tokens on either side, the claim is not supported, and no token is marked.
        """
        if not len(claim) or not len(source):
            return Checked(0.0, np.zeros((len(claim), 2)), np.zeros((len(source), 2)))
        for each in (claim, source):
            check_width("ClaimNetwork", each, self.arrays["project.weight"].shape[1])
        own, its = unit(claim), unit(source)
        cosines = own @ its.T
        projected = self._layer("project", own), self._layer("project", its)
        ours, extra = self._read(cosines, *projected)
        theirs, _ = self._read(cosines.T, *projected[::-1])
        best = extra[:, 0]
        pooled = np.concatenate([ours.max(axis=0), ours.mean(axis=0), [best.min(), best.mean()]])
        score = float(self._layer("label", pooled[None])[0, 0])
        spans = self._layer("claim_span", ours), self._layer("source_span", theirs)
        return Checked(float(1 / (1 + np.exp(-score))), *(softmax(ends, axis=0) for ends in spans))

    def _layer(self, name: str, rows: Floats) -> Floats:
        outputs: Floats = rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return outputs

    def _read(self, cosines: Floats, own: Floats, its: Floats) -> tuple[Floats, Floats]:
        """What becomes of each token of one side, and its two features."""
        weights = softmax(float(self.arrays["sharpness"]) * cosines.T, axis=0).T
        places = weights @ np.arange(cosines.shape[1])
        jumps = np.tanh(np.diff(places, prepend=places[0] - 1) / 4 - 0.25)
        found, extra = weights @ its, np.column_stack([cosines.max(axis=1), jumps])
        compared = np.hstack([own, found, np.abs(own - found), own * found, extra])
        rows = np.maximum(self._layer("compare", compared), 0)
        around = np.pad(rows, ((1, 1), (0, 0)))
        return np.maximum(self._layer("around", np.hstack([around[:-2], rows, around[2:]])), 0), extra


RELEASED = "a …ForSequenceClassification whose labels are CORRECT and INCORRECT, or those of inference"


@dataclass(frozen=True, eq=False)
class ClaimClassifier(PairFunction):
    """A released classifier that reads a source and a claim together: the function is an ``EntailmentModel``'s."""

    function: Callable[..., Judged] = field(repr=False)  # type: ignore[assignment]  # of probabilities and tokens

    def score_pairs(self, texts: Sequence[str], others: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """The probability that each source supports its claim, (n,), and how many tokens were left out, (n,)."""
        judged, left_out = self.function(texts, others)
        return judged[:, LABELS.index("entailment")], left_out


def open_released(place: Path, config: Mapping[str, Any], encoder: Any = None, **options: Any) -> TrainedModel | None:
    """The model in a folder with a classifier of `transformers`; None if it has none. Errors: ``EntailmentModel``."""
    names = config.get("architectures")
    if not (isinstance(names, list) and any(str(each).endswith("ForSequenceClassification") for each in names)):
        return None
    judge = EntailmentModel(place, **options)
    name, _, version = judge.name.partition("@")
    told = f"it was trained elsewhere, as {name}; its authors say what it reaches"
    return ClaimClassifier(name, version, judge.judge_pairs).model(
        "factcc", {"trainer": "a classifier of transformers", "elsewhere": told}
    )


class TokenRows:
    """The vectors of the tokens of texts, and where the tokens are; marks such as [CLS] are left out."""

    def __init__(self, encoder: Any, layer: int, texts: Sequence[str]) -> None:
        distinct = [*dict.fromkeys(texts)]
        found = vector_store().tokens(encoder, distinct, (layer,))
        self.vectors: dict[str, np.ndarray] = {}
        self.spans: dict[str, np.ndarray] = {}
        self.left_out: dict[str, int] = {}
        for place, text in enumerate(distinct):
            part = found.part(place, place + 1)
            self.vectors[text] = part.vectors[0][part.counted]
            spans = part.spans[part.counted]
            self.spans[text] = spans if spans.any() else _looked_for(text, encoder.tokens(text), len(spans))
            self.left_out[text] = int(part.left_out[0])

    def place(self, text: str, span: Span) -> Span:
        """The first and the last token that a span of characters touches; (-1, -1) for none."""
        touched = np.flatnonzero((self.spans[text][:, 0] < span[1]) & (self.spans[text][:, 1] > span[0]))
        return (int(touched[0]), int(touched[-1])) if len(touched) else (-1, -1)


def _looked_for(text: str, tokens: Sequence[str], count: int) -> np.ndarray:
    """Where tokens stand in a text, one after another, whatever their case."""
    spans, end, low = np.zeros((count, 2), np.int64), 0, text.lower()
    for row, token in enumerate(tokens[:count]):
        start = low.find(token.lower(), end)
        if start >= 0:
            end = start + len(token)
            spans[row] = start, end
    return spans
