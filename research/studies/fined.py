"""The part of docs/correlation.md on whole dialogues: FineD-Eval, trained on TopicalChat and measured on FED.

``python -m studies.correlation`` runs it. The models are trained here, on few dialogues, and none is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from metrologue_research.fined_eval import FinedEval
from metrologue_research.fined_eval.examples import DialoguePairs, dialogue_pairs
from metrologue_research.fined_eval.network import HEADS
from metrologue_research.fined_eval.training import FORMS, FinedTrainer

from metrologue.data.arrays import Floats
from metrologue.learned import TrainedModel, train
from metrologue.learned.measuring import compare_scores
from metrologue.learned.named import NamedTrained
from metrologue.meta import Judgements, read_judgements
from metrologue.scorers.families.dialogues import lines_of
from studies.dialogue import spearman
from studies.encoders import encoder_folder
from studies.tables import interval, printed, prose, table

__all__ = ["fined", "said_by_people", "turns_of_fed"]

_SEEDS = 5
_OF_FED = {"coherence": "Coherent", "likability": "Likeable", "topic_depth": "Depth", "fined_eval": "Overall"}
_SPEAKERS = ("User: ", "System: ")


def said_by_people(folder: Path) -> list[list[str]]:
    """The dialogues of TopicalChat with the response of a person; of those with the same first turn, the longest."""
    said = read_judgements(folder / "usr_topicalchat", "usr")
    found: dict[str, list[str]] = {}
    for context, own in zip(said.contexts or (), said.references or (), strict=True):
        turns = [*lines_of(context), own[0]]
        found[turns[0]] = max(found.get(turns[0], []), turns, key=len)
    return [*found.values()]


def turns_of_fed(said: Judgements) -> list[list[str]]:
    """The turns of FED's dialogues, without the speakers' names."""
    found = []
    for text in said.hypotheses:
        turns = lines_of(text)
        for name in _SPEAKERS:
            turns = [turn.removeprefix(name) for turn in turns]
        found.append(turns)
    return found


def _trained(pairs: DialoguePairs, form: str, seed: int) -> TrainedModel:
    trainer = FinedTrainer(form=form, seed=seed)
    return train("fined_eval", pairs, encoders=[encoder_folder()], trainer=trainer, measure=seed == 0)


def _scores(model: TrainedModel, dialogues: list[list[str]]) -> dict[str, Floats]:
    return FinedEval(model=NamedTrained.of(model)).segment_scores(dialogues)


def _spread(values: list[float]) -> str:
    return f"{printed(float(np.mean(values)), 3)} ({printed(min(values), 3)} to {printed(max(values), 3)})"


def _held_out(models: dict[str, list[TrainedModel]]) -> list[list[str]]:
    """The shares of right pairs, by head."""
    found: dict[str, Any] = {form: own[0].report["held_out"] for form, own in models.items()}
    shares = {form: own["compared"]["accuracy"] for form, own in found.items()}
    first = next(iter(shares))
    return [
        [
            f"`{head}`",
            *(printed(own["learned"]["parts"][head], 3) for own in shares.values()),
            printed(shares[first]["rival"]["parts"][head], 3),
            found[first]["rivals"][head].removesuffix(f" for {head}"),
        ]
        for head in HEADS
    ]


def fined(folder: Path) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    dialogues, said = said_by_people(folder), read_judgements(folder / "fed", "fed-dialogues")
    turns, pairs = turns_of_fed(said), dialogue_pairs(dialogues)
    models = {form: [_trained(pairs, form, seed) for seed in range(_SEEDS)] for form in FORMS}
    scores = {form: [_scores(model, turns) for model in own] for form, own in models.items()}
    neighbours = scores["multitask"][0]["neighbours"]
    yield "### Dialogue: FineD-Eval on FED\n"
    yield prose(
        f"{len(pairs):,} pairs are made of {len(dialogues)} dialogues of TopicalChat: {pairs.made}. No model of "
        "inference or of emotions can be had here, so rules that compare words stand in for them. The first table has "
        "the share of the pairs that a head orders right when their dialogues were held out, beside the rival that is "
        "best on the training."
    )
    yield table(["head", *models, "rival", "which"], _held_out(models))
    lines = []
    for head, quality in _OF_FED.items():
        ratings = said.ratings[quality].means()
        own = {form: [spearman(each[head], ratings) for each in found] for form, found in scores.items()}
        lines.append([quality, f"`{head}`", *map(_spread, own.values()), printed(spearman(neighbours, ratings), 3)])
    yield prose(
        f"The second one has Spearman's rho with the mean ratings of FED's {len(said)} dialogues, which none of this "
        f"was chosen on, as the mean of {_SEEDS} trainings with the least and the greatest. The rival is the mean "
        "cosine of neighbouring turns, `neighbours`, which is not trained."
    )
    yield table(["quality", "number", *models, "neighbours' cosine"], lines)
    ratings = said.ratings["Coherent"].means()
    told = []
    for form, found in scores.items():
        every = {"all": np.arange(len(said))}
        gap = compare_scores(every, found[0]["coherence"], neighbours, ratings)["kendall-b"].difference
        told.append(f"{form} {interval(gap)}")
    beats = any(own[0].report["held_out"]["beats_rival"] for own in models.values())
    gaps = {form: own[0].report["held_out"]["compared"]["accuracy"]["difference"] for form, own in models.items()}
    above = "; ".join(f"{form} {interval(gap)}" for form, gap in gaps.items())
    yield prose(
        f"tau-b with Coherent above the rival's, of the first training: {'; '.join(told)}. The share of right pairs "
        f"above the rivals', as a mean over the heads: {above}. So FineD-Eval "
        f"{'beats' if beats else '**does not beat**'} its rivals on pairs that were held out. The published average on "
        "FED is 61.84 per cent, with RoBERTa and two large sets of dialogues."
    )
