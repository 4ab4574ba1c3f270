"""MAUVE: how near the texts of a model are to texts of people, as distributions (Pillutla et al. 2021).

The package mauve-text computes it. Here are its input, which is checked, and its result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.intake import as_strings, listed
from metrologue.errors import InputError, checked_int, shown, warn_caller
from metrologue.origin import pip_install
from metrologue.representations.named import NamedEncoder
from metrologue.representations.store import vector_store
from metrologue.tracing import Curve, Notes, Row, Table, Trace
from metrologue.version import __version__

__all__ = ["FEWEST", "Mauve", "mauve"]

# The authors advise against a score of fewer texts.
FEWEST = 1000


@dataclass(frozen=True, kw_only=True)
class Mauve:
    """A MAUVE score, with what it was made from.

    Attributes
    ----------
    mauve : float
        0 to 1; higher is better.
    frontier_integral : float
        0 to 1; lower is better.
    mauve_star, frontier_integral_star : float
        The same of smoothed histograms.
    divergence_curve : float64 (points, 2)
        What each of the two distributions has that the other one lacks, at each mixture of both.
    p_hist, q_hist : float64 (num_buckets,)
        The share of the predictions and of the references in each cluster.
    num_buckets : int
        The number of clusters.
    signature : str
        Every choice behind the score, on one line.
    """

    mauve: float
    frontier_integral: float
    mauve_star: float
    frontier_integral_star: float
    divergence_curve: Floats = field(repr=False)
    p_hist: Floats = field(repr=False)
    q_hist: Floats = field(repr=False)
    num_buckets: int
    signature: str

    def trace(self) -> Trace:
        """The divergence curve, and the clusters in which predictions and references differ most."""
        points = np.unique(self.divergence_curve, axis=0)
        order = np.argsort(-np.abs(self.p_hist - self.q_hist), kind="stable")[:10]
        rows = [Row(cells=(str(each), float(self.p_hist[each]), float(self.q_hist[each]))) for each in order.tolist()]
        numbers = {name: getattr(self, name) for name in ("mauve", "frontier_integral", "mauve_star")}
        return Trace(
            metric="mauve", value=self.mauve, signature=self.signature,
            formula=f"mauve = area under the divergence curve = {self.mauve}", values=numbers,
            remarks=("exp(-c KL(P|R)) by exp(-c KL(Q|R)), for mixtures R of the predictions P and the references Q",),
            blocks=(
                Curve(
                    name="exp(-c KL(P|R))", axis="exp(-c KL(Q|R))", places=tuple(points[:, 0].tolist()),
                    values=tuple(points[:, 1].tolist()),
                ),
                Table(
                    name="clusters that differ most", header=("cluster", "predictions", "references"), rows=tuple(rows)
                ),
                Notes(lines=(f"{self.num_buckets} clusters; frontier integral {self.frontier_integral:.6g}",)),
            ),
        )  # fmt: skip


def mauve(
    predictions: Sequence[str] | None = None,
    references: Sequence[str] | None = None,
    *,
    model: Any = None,
    p_features: Any = None,
    q_features: Any = None,
    num_buckets: int | str = "auto",
    pca_max_data: int = -1,
    kmeans_explained_var: float = 0.9,
    kmeans_num_redo: int = 5,
    kmeans_max_iter: int = 500,
    divergence_curve_discretization_size: int = 25,
    mauve_scaling_factor: float = 5,
    seed: int = 25,
) -> Mauve:
    """How near the texts of a model are to texts of people, as distributions; higher is better, 0-1.

    Each text becomes a vector, and the vectors of both sides are put into clusters. MAUVE compares the shares of both
    sides in each cluster. The package mauve-text does this, and its number is given as it is.

    Parameters
    ----------
    predictions, references : n str, and m str
        The texts of the model, and those of people. They need not belong to each other.
    model : encoder, path or name, optional
        What gives each text a vector; see ``metrologue.representations.open_encoder``. The authors take the last
        layer of GPT-2 at the last token, so that scores of other encoders are not comparable with theirs.
    p_features, q_features : float (n, width), float (m, width), optional
        Vectors of the predictions and of the references, in place of a model.
    num_buckets : int or "auto"
        The number of clusters; "auto" for a tenth of the smaller side.
    pca_max_data : int
        How many vectors the principal components are found from; -1 for all.
    kmeans_explained_var : float
        The share of the variance that the components keep.
    kmeans_num_redo, kmeans_max_iter : int
        How often clusters are sought, and in how many steps.
    divergence_curve_discretization_size : int
        The number of mixtures of both distributions.
    mauve_scaling_factor : float
        The constant c of the paper.
    seed : int
        Decides where the clusters begin.

    Raises
    ------
    InputError
        If mauve-text is not installed, there is neither a model nor vectors, the vectors are not finite or of different
        widths, or a value is out of range.

    Warns
    -----
    UserWarning
        If one side has fewer than 1,000 texts, as the authors advise.

    References
    ----------
    Pillutla et al. 2021, https://arxiv.org/abs/2102.01454; mauve-text, https://github.com/krishnap25/mauve.

    Examples
    --------
    >>> chance = np.random.default_rng(1)
    >>> vectors = chance.normal(size=(1000, 4))
    >>> mauve(p_features=vectors, q_features=vectors + 9, kmeans_num_redo=1).mauve < 0.1  # doctest: +SKIP
    True
    """
    compute = _program()
    encoder = None if model is None else NamedEncoder.of(model)
    p = _features("predictions", predictions, p_features, encoder)
    q = _features("references", references, q_features, encoder)
    if p.shape[1] != q.shape[1]:
        raise InputError(f"mauve: the vectors have the widths {p.shape[1]} and {q.shape[1]}; they must be the same.")
    fewer = min(len(p), len(q))
    buckets = max(2, round(fewer / 10)) if num_buckets == "auto" else num_buckets
    options: dict[str, Any] = {
        "num_buckets": checked_int("num_buckets", buckets, 1, len(p) + len(q)),
        "pca_max_data": checked_int("pca_max_data", pca_max_data, -1),
        "kmeans_explained_var": _between("kmeans_explained_var", kmeans_explained_var, 1.0),
        "kmeans_num_redo": checked_int("kmeans_num_redo", kmeans_num_redo, 1),
        "kmeans_max_iter": checked_int("kmeans_max_iter", kmeans_max_iter, 1),
        "divergence_curve_discretization_size": checked_int(
            "divergence_curve_discretization_size", divergence_curve_discretization_size, 1
        ),
        "mauve_scaling_factor": _between("mauve_scaling_factor", mauve_scaling_factor, np.inf),
        "seed": checked_int("seed", seed, 0, 2**31 - 6),
    }
    if fewer < FEWEST:
        warn_caller(
            f"mauve: one side has {fewer} texts; the authors advise {FEWEST:,} or more. With fewer, the score is too "
            "high and depends on the sample."
        )
    found = compute(p_features=p, q_features=q, **options)
    of_texts = p_features is None and q_features is None
    said = {**options, "features": encoder.name if encoder and of_texts else _digest(p, q)}
    fields = "|".join(f"{name}={value}" for name, value in said.items())
    values: dict[str, Any] = {name: float(getattr(found, name)) for name in _NUMBERS}
    values |= {name: np.asarray(getattr(found, name)) for name in ("divergence_curve", "p_hist", "q_hist")}
    return Mauve(
        **values, num_buckets=int(found.num_buckets),
        signature=f"mauve|{fields}|mauve-text={metadata.version('mauve-text')}|metrologue={__version__}",
    )  # fmt: skip


_NUMBERS = ("mauve", "frontier_integral", "mauve_star", "frontier_integral_star")


def _program() -> Any:
    try:
        from mauve import compute_mauve
    except ImportError as error:
        raise InputError(f"mauve: the package mauve-text is not installed ({error}); {pip_install('mauve')}.") from None
    return compute_mauve


def _between(name: str, value: Any, greatest: float) -> float:
    """A number above 0 and below the greatest one."""
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not is_number or not 0 < value < greatest:
        below = f" and below {greatest:g}" if greatest < np.inf else ""
        raise InputError(f"mauve: `{name}` is {shown(value)}; a finite number above 0{below} is expected.")
    return float(value)


def _features(name: str, texts: Any, features: Any, encoder: NamedEncoder | None) -> Floats:
    """The vectors of one side, (n, width)."""
    argument = f"{name[0].replace('r', 'q')}_features"
    if features is None:
        if texts is None or encoder is None:
            raise InputError(f"mauve: `{name}` need `model`, or give `{argument}`, an array of vectors.")
        strings = as_strings(listed(texts, name, "mauve"), name, "mauve").to_pylist()
        vectors = np.asarray(vector_store().texts(encoder.encoder, strings)) if len(strings) else np.zeros((0, 1))
    else:
        try:
            vectors = np.asarray(features, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"mauve: `{argument}` is {shown(features)}; an array (n, width) is expected.") from None
        if texts is not None and len(texts) != len(vectors):
            raise InputError(f"mauve: {len(texts)} {name} but {len(vectors)} vectors in `{argument}`.")
    if vectors.ndim != 2 or not vectors.size:
        raise InputError(
            f"mauve: `{argument}` has the shape {vectors.shape}; (n, width) is expected, at least one each."
        )
    if not np.isfinite(vectors).all():
        at = int(np.argmin(np.isfinite(vectors).all(axis=1)))
        raise InputError.at("mauve", argument, at, " has a value that is not finite.")
    return np.asarray(vectors)


def _digest(*arrays: Floats) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays)).hexdigest()[:12]
