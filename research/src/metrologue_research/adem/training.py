"""How ADEM is trained: least squares in closed form, where the authors go down a gradient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, number_of
from metrologue.learned.examples import Examples
from metrologue.learned.features import Features, text_vectors
from metrologue.learned.recipes import Asked, Recipe
from metrologue.learned.rivals import rival_scores
from metrologue.learned.trained_model import TrainedModel
from metrologue_research.adem.network import TERMS, BilinearNetwork

_MIDDLE, _WIDTH = 3.0, 4.0  # of the ratings, which are 1 to 5
_BIN, _LAST_BIN = 20, 140  # characters of a response: the lengths that are kept apart when classes are balanced
_ROUNDS, _CLOSE, _NOTHING = 300, 1e-9, 1e-9


@dataclass(frozen=True, kw_only=True)
class Bilinear:
    """ADEM's matrices M and N with the least squares, plus `penalty` times the sum of both norms, in closed form.

    The authors go down the gradient of the same loss. It is convex. A sum of norms is a ridge regression whose factors
    depend on the norms, so that a few regressions find the minimum. Raises an InputError if a number is out of range,
    or there is no such term.

    Attributes
    ----------
    components : int
        So many principal components of all vectors of the training; fewer, if there are not so many.
    penalty : float
    balanced : bool
        Whether all ratings, rounded, weigh the same among responses of about the same length: the authors copy rows
        until it is so. Lengths are counted in steps of 20 characters.
    terms : tuple of str
        "context", "reference" or both; without contexts, the second alone.

    Examples
    --------
    >>> Bilinear(terms=("reference",)).about
    'least squares in closed form, 50 components, penalty 0.1, reference alone'
    """

    components: int = 50
    penalty: float = 0.1
    balanced: bool = True
    terms: tuple[str, ...] = TERMS

    def __post_init__(self) -> None:
        checked_int("train: `components`", self.components, 1, 1 << 16)
        if not 1e-9 <= self.penalty <= 1e9:
            raise InputError(f"train: `penalty` is {self.penalty}; 1e-09 to 1e+09 is expected.")
        if not self.terms or not {*self.terms} <= {*TERMS}:
            raise InputError(f"train: `terms` is {self.terms}; of 'context' and 'reference', one or both are expected.")

    @property
    def about(self) -> str:
        terms = " and ".join(self.terms) if len(self.terms) > 1 else f"{self.terms[0]} alone"
        return f"least squares in closed form, {self.components} components, penalty {self.penalty:g}, {terms}"

    def fit(
        self, responses: Floats, others: Mapping[str, Floats], targets: Floats, lengths: np.ndarray | None = None
    ) -> BilinearNetwork:
        """The network of these vectors.

        Raises an InputError if all products are equal.

        Parameters
        ----------
        responses : float64 (n, width)
        others : mapping of str to float64 (n, width)
            The vectors of contexts and references.
        targets : float64 (n,)
            Ratings from 1 to 5.
        lengths : int (n,), optional
            The lengths of the responses in characters, to balance the ratings.
        """
        mean, axes = principal(np.vstack([responses, *(others[term] for term in self.terms)]), self.components)
        eye = {term: np.eye(len(axes)) for term in self.terms}
        network = BilinearNetwork(mean, axes, eye, 0.0, 1.0)
        own = network.components(responses)
        its = {term: network.components(others[term]) for term in self.terms}
        products = network.parts(own, its).sum(axis=1)
        spread = float(products.max() - products.min())
        if spread <= 1e-12 * max(1.0, float(np.abs(products).max())):
            terms, responses_of = " and ".join(self.terms), number_of(len(products), "response")
            raise InputError(
                f"train: the products of {responses_of} with {terms} are all equal; there is nothing to tell apart."
            )
        start = float(products.mean())
        weights = balance(targets, lengths) if self.balanced and lengths is not None else np.ones(len(targets))
        goals = (targets - _MIDDLE) * (spread / _WIDTH) + start
        factors = np.sqrt(weights / weights.sum()) * (_WIDTH / spread)
        tables = [(own[:, :, None] * its[term][:, None, :]).reshape(len(own), -1) * factors[:, None] for term in eye]
        found = least(tables, goals * factors, self.penalty)
        matrices = {term: each.reshape(len(axes), len(axes)) for term, each in zip(eye, found, strict=True)}
        return replace(network, matrices=matrices, start=start, spread=spread)


def principal(vectors: Floats, count: int) -> tuple[Floats, Floats]:
    """The mean of vectors, and the axes along which they vary most: (width,) and (components, width)."""
    mean = vectors.mean(axis=0)
    rows = vectors - mean
    squares, axes = np.linalg.eigh(rows.T @ rows)
    kept = squares > squares[-1] * 1e-12
    return mean, np.ascontiguousarray(axes[:, kept][:, ::-1][:, :count].T)


def balance(targets: Floats, lengths: np.ndarray) -> Floats:
    """A weight for each row, with which all ratings of a length, rounded, weigh the same; float64 (n,).

    The heaviest rating of a length keeps its weight, 1 for each row.

    Examples
    --------
    >>> balance(np.array([1.0, 1.0, 5.0, 2.0]), np.array([30, 31, 32, 90]))
    array([1., 1., 2., 1.])
    """
    bins = np.minimum(lengths, _LAST_BIN) // _BIN
    _, cells, counts = np.unique(
        np.column_stack([bins, np.round(targets)]), axis=0, return_inverse=True, return_counts=True
    )
    own = counts[cells.ravel()]
    most = np.zeros(int(bins.max()) + 1)
    np.maximum.at(most, bins, own)
    weights: Floats = most[bins] / own
    return weights


def least(tables: Sequence[Floats], goals: Floats, penalty: float) -> list[Floats]:
    """The t_g with the least |sum of A_g t_g - y|² + penalty · sum of |t_g|, from tables A_g and goals y.

    At the minimum, the gradient of |t| is that of |t|²/(2|t|). So it solves a ridge regression with the factors
    penalty / (2|t_g|), which is found by solving one after another. A t_g whose norm falls to 0 stays there.
    """
    sizes = [table.shape[1] for table in tables]
    norms = np.sqrt(np.sqrt(np.array(sizes)))  # of the identity
    whole = np.hstack([*tables])
    across = len(goals) <= whole.shape[1]
    grams = [table @ table.T for table in tables] if across else []
    products, sums = (np.zeros(0), np.zeros(0)) if across else (whole.T @ whole, whole.T @ goals)
    found: list[Floats] = []
    for _ in range(_ROUNDS):
        roots = np.repeat(np.sqrt(2 * norms / penalty), sizes)
        if across:  # the smaller of two systems with the same solution
            parts = [factor * gram for factor, gram in zip(2 * norms / penalty, grams, strict=True)]
            solved = roots**2 * (whole.T @ np.linalg.solve(np.sum(parts, axis=0) + np.eye(len(goals)), goals))
        else:
            system = roots[:, None] * products * roots + np.eye(len(roots))
            solved = roots * np.linalg.solve(system, roots * sums)
        found = np.split(solved, np.cumsum(sizes)[:-1])
        before, norms = norms, np.array([float(np.sqrt(each @ each)) for each in found])
        norms[norms < _NOTHING] = 0.0
        if np.abs(norms - before).max() <= _CLOSE * max(1.0, float(norms.max())):
            break
    return [each * (norm > 0) for each, norm in zip(found, norms, strict=True)]


def train_adem(examples: Examples, asked: Asked) -> TrainedModel:
    """A model of ``adem``. Of several references, the first counts.

    Raises an InputError if there is not exactly one encoder, the trainer is another one, contexts are missing though
    the trainer asks for them alone, or a rating is not from 1 to 5; and as ``train`` raises.
    """
    examples.check_varied()
    examples.check_range(_MIDDLE - _WIDTH / 2, _MIDDLE + _WIDTH / 2)
    trainer = asked.trainer_or(
        Bilinear(), "adem is trained as Bilinear says; leave the trainer out, or give one of that class."
    )
    features, whole = Features.of([asked.one_encoder("vectors")]), asked.whole(examples)
    if whole.contexts is None:
        terms = tuple(term for term in trainer.terms if term != "context")
        if not terms:
            raise InputError("train: adem is asked to read contexts alone, and the examples have none.")
        trainer = replace(trainer, terms=terms)
    encoder = features.encoders[0].encoder
    columns = {"reference": [references[0] for references in whole.references], "context": whole.contexts or ()}
    others = {term: text_vectors(encoder, columns[term]) for term in trainer.terms}
    responses = text_vectors(encoder, whole.predictions)
    lengths = np.array([len(text) for text in whole.predictions])

    def fit(rows: np.ndarray, **run: Any) -> BilinearNetwork:
        vectors = {term: each[rows] for term, each in others.items()}
        return trainer.fit(responses[rows], vectors, whole.targets[rows], lengths[rows])

    def score(network: BilinearNetwork, rows: np.ndarray) -> Floats:
        components = {term: network.components(each[rows]) for term, each in others.items()}
        return network.ratios(network.parts(network.components(responses[rows]), components))

    return asked.model(
        examples, features, trainer.about, fit, score, lambda: rival_scores(whole, features),
        settings=repr((trainer, str(features.encoders[0]))),
    )  # fmt: skip


RECIPE = Recipe(
    "sentence vectors of one encoder, of responses, references and perhaps contexts",
    Bilinear,
    encoders=True,
    labels=False,
    made=train_adem,
)
