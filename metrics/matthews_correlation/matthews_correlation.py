"""Matthews' correlation with the arguments and the result of the Hub's module of this name."""

import evaluate

from metrologue.bridge import LabelModule  # From: -e CHECKOUT-OF-METROLOGUE


class MatthewsCorrelation(LabelModule, evaluate.Metric):
    """Matthews' correlation of predicted labels.

    It is the correlation of predicted and right labels, of two labels or of more. A classifier that always gives the
    same label has 0, however frequent that label is.

    Args:
        average: only for the config "multilabel": None gives a list with the correlation of each label, "macro" their
            mean.

    Returns:
        matthews_correlation: the correlation, -1 to 1; higher is better. With the config "multilabel", a list.

    Examples:

        >>> import metrologue
        >>> matthews_correlation = metrologue.load("matthews_correlation")
        >>> labels = {"predictions": [1, 2, 2, 0, 3, 3], "references": [1, 3, 2, 0, 3, 2]}
        >>> matthews_correlation.compute(**labels)
        {'matthews_correlation': 0.5384615384615384}
        >>> round(matthews_correlation.compute(**labels, sample_weight=[0.5, 3, 1, 1, 1, 2])["matthews_correlation"], 4)
        0.0978
    """

    metric = "matthews_correlation"
    default_variant = "evaluate"
    pages = ("https://scikit-learn.org/stable/modules/generated/sklearn.metrics.matthews_corrcoef.html",)

    def _fields(self, average=None):
        if average not in (None, "macro"):
            raise self._error(f"`average` is {average!r}; None or 'macro' is expected.")
        return {}

    def _answer(self, scorer, segments, call):
        if self.config_name != "multilabel":
            return super()._answer(scorer, segments, call)
        if call.confidence is not None:
            raise self._error("`confidence` needs one label for each segment; rows of 0 and 1 have no interval.")
        each = [self._value(scorer, label) for label in self._of_each_label(segments)]
        value = sum(each) / len(each) if call.hub.get("average") else each
        return {"matthews_correlation": value, **self._extras(scorer, segments, call)}
