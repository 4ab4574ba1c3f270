"""Lexical Diversity for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class LexicalDiversity(MetricModule, evaluate.Metric):
    """Type-token ratio, MATTR, HD-D, MTLD and others.

    Lexical diversity of texts: the type-token ratio and its family, MSTTR, MATTR, HD-D, vocd-D, MTLD and the entropy,
    as the packages lexicalrichness and lexical-diversity give them.

    Returns:
        Each of the `measures` (`float`), token_count and type_count (`int`). `ttr`, `herdan_c`, `msttr`, `mattr`,
            `hdd`, `herdan_vm` and `simpson_d` are from 0 to 1; the others have no limit. Higher is more diverse, except
            for `maas_a2`, `yule_k`, `herdan_vm` and `simpson_d`.

    Examples:

        >>> import metrologue
        >>> lexical_diversity = metrologue.load("lexical_diversity")
        >>> text = "the cat sat on the mat and the dog sat on the log while the cat and the dog ran"
        >>> results = lexical_diversity.compute(predictions=[text], measures=["ttr", "mattr", "mtld"], window=5)
        >>> results["ttr"], results["mattr"], round(results["mtld"], 4), results["type_count"]
        (0.5, 0.9, 12.455, 10)
    """

    metric = "lexical_diversity"
    default_variant = "metrologue"
    takes_data = True
    reported = None
    arguments = {"threshold": "mtld_threshold", "average": "aggregation"}
    programs = ("https://github.com/LSYS/lexicalrichness", "https://github.com/kristopherkyle/lexical_diversity")
