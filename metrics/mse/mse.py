"""The mean squared error for `evaluate`, with the arguments and the result of the Hub's module of this name."""

import evaluate
import numpy as np

from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.scorers.families.classification.base import sample_weights  # From: -e CHECKOUT-OF-METROLOGUE


class Mse(NumberModule, evaluate.Metric):
    """The mean squared error with the arguments and the result of the Hub's module of this name.

    The mean squared error is the mean of the squares of what predictions are off; 0 is best. `config_name` "multilist"
    takes lists of several numbers, and gives the mean of their errors, or the error of each.

    Args:
        predictions: list of numbers; of lists of numbers, all as long, with "multilist".
        references: list of the right numbers, in the same form.
        sample_weight: list of numbers, the weight of each prediction, 0 or more.
        multioutput: "uniform_average", "raw_values" for the error of each place of a list, or the places' weights.
        squared: False for the root of the error, which has the unit of the numbers.

    Returns:
        mse: the error, 0 or more; an array with "raw_values".

    Examples:

        >>> import metrologue
        >>> mse = metrologue.load("mse")
        >>> mse.compute(predictions=[2.5, 0, 2, 8], references=[3, -0.5, 2, 7])
        {'mse': 0.375}
        >>> lists = {"predictions": [[0.5, 1], [-1, 1], [7, -6]], "references": [[0, 2], [-1, 2], [8, -5]]}
        >>> round(metrologue.load("mse", "multilist").compute(**lists)["mse"], 4)
        0.7083
    """

    configs = ("evaluate", "multilist")
    papers = ("pedregosa-etal-2011-scikit",)
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.mean_squared_error.html",)

    @property
    def columns(self):
        return dict.fromkeys(("predictions", "references"), "row" if self.config_name == "multilist" else "number")

    def _compute(self, predictions, references, sample_weight=None, multioutput="uniform_average", squared=True):
        ours, right = self._outputs("predictions", predictions), self._outputs("references", references)
        if ours.shape != right.shape:
            raise self._error(
                f"predictions have {ours.shape[1]} numbers and references {right.shape[1]}; as many are expected."
            )
        weights = self._weights("sample_weight", sample_weight, len(ours), "predictions")
        errors = np.average((ours - right) ** 2, axis=0, weights=weights)
        errors = errors if squared else np.sqrt(errors)
        if isinstance(multioutput, str) and multioutput == "raw_values":
            return {"mse": errors}
        if isinstance(multioutput, str) and multioutput != "uniform_average":
            told = "'uniform_average', 'raw_values' or a list of weights is expected"
            raise self._error(f"`multioutput` is {multioutput!r}; {told}.")
        even = isinstance(multioutput, str)
        shares = None if even else self._weights("multioutput", multioutput, len(errors), "numbers in a list")
        return {"mse": float(np.average(errors, weights=shares))}

    def _outputs(self, name, column):
        """A column as (n, outputs), in the 32 bits that the Hub's module has."""
        rows = self._matrix(column) if self.config_name == "multilist" else np.asarray(column)[:, None]
        short = np.isnan(rows).any(axis=1)
        if short.any() or not rows.shape[1]:
            told = f"`{name}[{short.argmax()}]` has fewer numbers than other rows, or none"
            raise self._error(f"{told}; as many are expected in each.")
        return rows.astype(np.float32).astype(float)

    def _weights(self, name, given, count, things):
        if given is None and name == "sample_weight":
            return None
        weights = sample_weights(given, type(self).__name__, name).values
        if len(weights) != count:
            raise self._error(f"`{name}` has {len(weights)} weights for {count} {things}; one each is expected.")
        return weights
