"""USR (Mehri and Eskenazi 2020): three numbers of a response, and the authors' regression."""

# The mean and the deviation of each number, and the coefficients of their program's file regr.pkl.
NORMS = {
    "mlm": (-1.012293440649907, 0.39053753419230813),
    "dr_c": (0.8604811806918587, 0.30259338627812254),
    "dr_f": (0.8472124995904354, 0.27987823011851076),
}
INPUTS = ("mlm", "mlm", "dr_c", "dr_c", "dr_f")
COEFFICIENTS = (0.6601100065, 0.4035348605, 0.5132785702, 0.9605336087, 0.3564255382)
INTERCEPT = 3.5974754476


def overall(numbers: dict[str, float]) -> float:
    """The regression over z-scores. MLM and DR(c) stand for two qualities each.

    >>> round(overall({"mlm": -1.012293440649907 + 0.39053753419230813, "dr_c": 1.0, "dr_f": 1.0}), 6)
    5.535236
    """
    scores = [(numbers[name] - NORMS[name][0]) / NORMS[name][1] for name in INPUTS]
    return INTERCEPT + sum(weight * score for weight, score in zip(COEFFICIENTS, scores, strict=True))


def masked_likelihood(log_probability, ids: list[int], last: int | None, scored: range | None = None) -> list[float]:
    """The log-probability of each token but the first and the last one, as ``log_probability(ids, place)`` finds it.

    >>> masked_likelihood(lambda ids, place: -float(ids[place]), [1, 2, 3, 4, 5], 4)
    [-3.0, -4.0]
    """
    kept = ids[-last:] if last else ids
    places = range(1, len(kept) - 1) if scored is None else scored
    return [log_probability(kept, place) for place in places]
