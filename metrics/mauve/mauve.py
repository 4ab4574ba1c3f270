"""MAUVE for `evaluate`, with the arguments, the result keys and the numbers of the Hub's `mauve`."""

import evaluate

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.inference.mauve import mauve  # From: -e CHECKOUT-OF-METROLOGUE


def _are_texts(column):
    return column is not None and len(column) > 0 and isinstance(column[0], str)


class Mauve(NumberModule, evaluate.Metric):
    """MAUVE with the arguments and the result of the Hub's module of this name.

    MAUVE says how near the texts of a model are to human texts, as distributions. Each text becomes a vector, the
    vectors of both sides are put into clusters, and the shares of both sides in each cluster are compared. The package
    mauve-text computes it: pip install mauve-text.

    Args:
        predictions: list of texts of the model, which need `model`; or list of vectors, one for each text.
        references: list of human texts, or list of vectors.
        model: an encoder, the path of its folder, or the name of a model; the Hub calls it `featurize_model_name`.
        p_features, q_features: vectors of the texts, in place of `model`.
        num_buckets: the number of clusters; "auto" for a tenth of the smaller side.
        pca_max_data: how many vectors the principal components are found from; -1 for all.
        kmeans_explained_var: the share of the variance that the components keep.
        kmeans_num_redo: how often clusters are sought.
        kmeans_max_iter: in how many steps.
        divergence_curve_discretization_size: the number of mixtures of both distributions.
        mauve_scaling_factor: the constant c of the paper.
        seed: decides where the clusters begin; 25, or the seed with which the module was loaded.
        signature: whether to add "signature", every choice behind the number on one line.

    Returns:
        mauve: the score, 0 to 1; higher is better.
        frontier_integral: 0 to 1; lower is better.
        divergence_curve: list of points.
        p_hist, q_hist: the shares of the predictions and of the references in each cluster.
        num_buckets: the number of clusters.

    Examples:

        >>> import metrologue
        >>> mauve = metrologue.load("mauve")
        >>> vectors = [[0.5, 1.0], [1.0, 0.25], [0.0, 2.0]]
        >>> results = mauve.compute(predictions=vectors, references=vectors)
        >>> round(results["mauve"], 4), results["num_buckets"]
        (1.0, 2)
    """

    rows = ("predictions", "references")
    papers = ("pillutla-etal-2021-mauve",)
    programs = ("https://github.com/krishnap25/mauve",)
    pages = ("https://arxiv.org/abs/2102.01454",)

    def compute(
        self, *, predictions=None, references=None, model=None, featurize_model_name=None, p_features=None,
        q_features=None, **options,
    ):  # fmt: skip
        """The score of texts, of vectors that stand for them, or of the vectors that were added so far."""
        self._refuse_unknown(options, self._compute)
        model = featurize_model_name if model is None else model
        given = (model, p_features, q_features)
        if all(each is None for each in given) and not (_are_texts(predictions) or _are_texts(references)):
            return super().compute(predictions=predictions, references=references, **options)
        if self.writer is not None:
            raise self._error("vectors were added before; give all texts or vectors at once.")
        return self._result(
            options, predictions=predictions, references=references, model=model, p_features=p_features,
            q_features=q_features,
        )  # fmt: skip

    def _compute(
        self, predictions, references, num_buckets="auto", pca_max_data=-1, kmeans_explained_var=0.9,
        kmeans_num_redo=5, kmeans_max_iter=500, divergence_curve_discretization_size=25, mauve_scaling_factor=5,
        seed=None, signature=False,
    ):  # fmt: skip
        options = {
            "num_buckets": num_buckets, "pca_max_data": pca_max_data, "kmeans_explained_var": kmeans_explained_var,
            "kmeans_num_redo": kmeans_num_redo, "kmeans_max_iter": kmeans_max_iter, "seed": seed,
            "divergence_curve_discretization_size": divergence_curve_discretization_size,
            "mauve_scaling_factor": mauve_scaling_factor, "signature": signature,
        }  # fmt: skip
        return self._result(options, p_features=self._matrix(predictions), q_features=self._matrix(references))

    def _result(self, options, **inputs):
        told = options.pop("signature", False)
        if options.get("seed") is None:
            options["seed"] = 25 if self.given_seed is None else self.given_seed
        found = mauve(**inputs, **options)
        names = ("mauve", "frontier_integral", "divergence_curve", "p_hist", "q_hist", "num_buckets")
        values = {name: getattr(found, name) for name in names}
        result = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in values.items()}
        return {**result, **({"signature": found.signature} if told else {})}
