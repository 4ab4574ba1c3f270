"""Faithfulness by inference, from probabilities of contradiction, neutral and entailment that a model gave.

Falke et al. 2019, Maynez et al. 2020 (one premise, one hypothesis), Dusek and Kasner 2020.
"""

Probabilities = tuple[float, float, float]


def nli_faithfulness(judged: list[list[Probabilities]]) -> float:
    """The mean over the sentences of a text of the best entailment by a sentence of the source; 0 without any.

    >>> nli_faithfulness([[(0.8, 0.1, 0.1), (0.0, 0.1, 0.9)], [(0.4, 0.3, 0.3), (0.4, 0.4, 0.2)]])
    0.6
    """
    best = [max(entailed for _, _, entailed in row) if row else 0.0 for row in judged]
    return sum(best) / len(best) if best else 0.0


def summac_zs(judged: list[list[Probabilities]]) -> float:
    """The mean over the sentences of the greatest entailment less the greatest contradiction (Laban et al. 2022).

    >>> summac_zs([[(0.5, 0.25, 0.25), (0.0, 0.25, 0.75)]])
    0.25
    """
    margins = [max(row[2] for row in rows) - max(row[0] for row in rows) for rows in judged]
    return sum(margins) / len(margins)


def data_to_text(whole: Probabilities, back: Probabilities, facts: list[Probabilities]) -> tuple[str, float]:
    """The verdict and the confidence: facts to text, text to facts, text to each fact.

    >>> data_to_text((0.0, 0.1, 0.9), (0.1, 0.1, 0.8), [(0.0, 0.2, 0.8), (0.1, 0.6, 0.3)])
    ('omission', 0.3)
    """

    def entailed(judged: Probabilities) -> bool:
        return judged[2] > max(judged[:2])

    made_up = not entailed(whole)
    left_out = not (entailed(back) and all(map(entailed, facts)))
    verdict = "_and_".join(["hallucination"] * made_up + ["omission"] * left_out) or "ok"
    return verdict, min(each[2] for each in (whole, back, *facts))
