"""FED (Mehri and Eskenazi 2020), for one quality. A model gives a text the log-probability of each of its tokens."""

from collections.abc import Callable

Model = Callable[[str], list[float]]


def conversation(turns: list[str]) -> str:
    """The turns as DialoGPT reads them.

    >>> conversation(["Hi!", "Hello."])
    ' Hi! <|endoftext|> Hello. <|endoftext|>'
    """
    return "".join(f" {turn} <|endoftext|>" for turn in turns)


def likelihood(model: Model, turns: list[str], follow_up: str, of: str) -> float:
    """The log-probability of a follow-up."""
    before = conversation(turns)
    logs = model(f"{before} {follow_up}")
    if of != "conversation":
        logs = logs[len(model(before)) :]
    return sum(logs) if of == "sum" else sum(logs) / len(logs)


def quality(
    model: Model, turns: list[str], good: list[str], bad: list[str], of: str = "conversation", join: str = "mean"
) -> float:
    """How much more probable the good follow-ups are than the bad ones.

    >>> quality(lambda text: [-1.0 * len(word) for word in text.split()], ["a"], ["bcd"], ["efghi"], "sum")
    2.0
    """
    sides = [[likelihood(model, turns, each, of) for each in side] for side in (good, bad)]
    values = [sum(side) / (1 if join == "sum" else max(len(side), 1)) for side in sides]
    return values[0] - values[1]
