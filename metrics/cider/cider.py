"""CIDEr for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Cider(MetricModule, evaluate.Metric):
    """CIDEr and CIDEr-D of image captions.

    CIDEr compares a caption with several captions of the same image, weighted by tf-idf: CIDEr-D as in COCO's table, or
    the paper's CIDEr.

    Args:
        documents (float): the number of images, for a pickled table that does not have it. That of `coco-val-df` is
            known.

    Returns:
        cider (`float`): 0 to 10; higher is better. 10 means that each caption equals all references of its image, and
            has four words or more. Papers often print it times 10 or 100.

    Examples:

        >>> import metrologue
        >>> cider = metrologue.load("cider")
        >>> predictions = ["A cat is on the mat.", "A dog is running in the park.", "People ride bikes on the road."]
        >>> references = [
        ...     ["A cat sits on the mat.", "The cat is on the mat."],
        ...     ["A dog runs in the park.", "A brown dog is running."],
        ...     ["Two people ride bikes."],
        ... ]
        >>> results = cider.compute(predictions=predictions, references=references)
        >>> print(f"{results['cider']:.3f}")
        4.369
    """

    metric = "cider"
    default_variant = "coco"
    arguments = {"n": "max_order"}
    tables = {"document_frequency": ("documents",)}
    programs = (
        "https://github.com/vrama91/cider",
        "https://github.com/salaniz/pycocoevalcap",
        "https://github.com/tylin/coco-caption",
    )
