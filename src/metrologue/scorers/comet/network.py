"""The networks that unbabel-comet saves: an encoder, the mix of its layers, and a feed-forward network on top."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.files.forms import TEXT, list_of, maybe, one_of, record, whole
from metrologue.files.regular import MOST_WEIGHTS, file_in, read_regular
from metrologue.language_models.loaded_digest import name_in_signature, weights_digest
from metrologue.language_models.pretrained import (
    bars_on_terminals_only,
    device_of,
    libraries,
    lightning_checkpoint,
    local_files_only,
    one_at_a_time,
    reading,
    tokenizer_at,
)
from metrologue.learned.features import Features
from metrologue.learned.translation import (
    TEXTS,
    Columns,
    Counts,
    Rated,
    RatedFunction,
    RatingModel,
    RatingNetwork,
    Run,
    label_of,
)
from metrologue.representations.store import vector_store
from metrologue.representations.transformer import in_batches

RELEASED = "a folder of unbabel-comet (hparams.yaml and checkpoints/model.ckpt)"
MARK = "hparams.yaml"  # the file that makes a folder one of unbabel-comet's
_WEIGHTS = "model.ckpt"
_AT_ONCE = 1024  # rows of the feed-forward network
_WIDE = 128  # the width of an encoder whose matrices are large enough that another library gains time


class EncoderKind(NamedTuple):
    """How a kind of encoder is made and read.

    Attributes
    ----------
    model, tokenizer : str
        The classes of `transformers`. The second one is for an encoder without a tokenizer.json.
    marks : tuple of str
        The tokens before a text, after it and in place of a missing one, where the tokenizer does not say them.
    separators : int
        The tokens between two texts that are read together.
    types : bool
        Whether it is told which of several texts a token belongs to.
    """

    model: str
    tokenizer: str
    marks: tuple[str, str, str] = ("<s>", "</s>", "<pad>")
    separators: int = 2
    types: bool = False


_BERT_MARKS = "[CLS]", "[SEP]", "[PAD]"
ENCODERS: Mapping[str, EncoderKind] = {
    "BERT": EncoderKind("BertModel", "BertTokenizerFast", _BERT_MARKS, 1, types=True),
    "XLM-RoBERTa": EncoderKind("XLMRobertaModel", "XLMRobertaTokenizerFast"),
    "XLM-RoBERTa-XL": EncoderKind("XLMRobertaXLModel", "XLMRobertaTokenizerFast"),
    "MiniLM": EncoderKind("BertModel", "XLMRobertaTokenizerFast"),
    "RemBERT": EncoderKind("RemBertModel", "RemBertTokenizerFast", _BERT_MARKS, 1),
}
# The features that the feed-forward network gets of the vectors of the texts: a text alone, "*" a product and "-" the
# absolute difference of two.
FEATURES: Mapping[str, tuple[str, ...]] = {
    "regression_metric": ("mt", "ref", "mt*ref", "mt-ref", "mt*src", "mt-src"),
    "referenceless_regression_metric": ("mt", "src", "mt*src", "mt-src"),
}
_UNIFIED, _MARKING = "unified_metric", "xcomet_metric"
_JOINT = (_UNIFIED, _MARKING)  # networks that read their texts together
# What the scores of xCOMET's inputs count (the text with its source, with its reference, with both), and then the share
# of 25 points of MQM that its errors leave; what the probabilities of labels count; the points of an error.
_WEIGHTS_OF_SCORES, _WEIGHT_OF_ERRORS = (0.12, 0.33, 0.33), 0.22
_WEIGHTS_OF_LABELS = (0.1667, 0.3333, 0.5)
SEVERITIES: Mapping[str, int] = {"minor": 1, "major": 5, "critical": 10}
_MOST_POINTS = 25
_MOST_SETTINGS = 1 << 18  # bytes: to read YAML takes time
# Names of modules of torch that unbabel-comet finds, which it looks up with a capital and small letters.
_ACTIVATIONS = (
    "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "Identity", "Mish", "Sigmoid", "Softplus", "Softshrink",
    "Softsign", "Tanh", "Tanhshrink",
)  # fmt: skip
_ACTIVATION = one_of([form for name in _ACTIVATIONS for form in (name, name.lower(), name.upper())])
_LAYER = {"layer": "mix", "sent_layer": "mix"}
# What a checkpoint says of its network, with the value where it says nothing; it also says how it was trained.
_DEFAULTS: Mapping[str, Any] = {
    "encoder_model": "XLM-RoBERTa", "pretrained_model": "", "pool": "avg", "layer_transformation": "softmax",
    "layer_norm": True, "activations": "Tanh", "final_activation": None, "input_segments": ["mt", "src", "ref"],
    **_LAYER,
}  # fmt: skip


# What a checkpoint of xCOMET says besides.
_OF_MARKING: Mapping[str, Any] = {"word_layer": 36, "error_labels": [*SEVERITIES]}


def _layer(value: Any, where: str) -> None:
    if value != "mix":
        whole(0, 1000)(value, where)


_SETTINGS = record(
    {
        "class_identifier": one_of([*FEATURES, *_JOINT]),
        "encoder_model": one_of(ENCODERS),
        "pretrained_model": TEXT,
        "pool": one_of(["avg", "cls", "max", "default"]),
        "layer": _layer,
        "sent_layer": _layer,
        "layer_transformation": one_of(["softmax", "sparsemax", "sparsemax_patch"]),
        "layer_norm": lambda value, where: one_of(["True", "False"])(str(value), where),
        "hidden_sizes": list_of(whole(1, 1 << 20), least=1, most=100),
        "activations": _ACTIVATION,
        "final_activation": maybe(_ACTIVATION),
        "input_segments": list_of(one_of(TEXTS), least=2, most=3),
    },
    {"word_layer": whole(0, 1000), "error_labels": list_of(TEXT, most=16)},
)
# What a checkpoint may have beside the arrays of its network: what `transformers` once kept, and what only training
# and the tags of words need.
_BESIDE = re.compile(
    r"encoder\.model\.(pooler\..*|embeddings\.(position_ids|token_type_ids))"
    r"|layerwise_attention\.dropout_(mask|fill)|hidden2tag\.(weight|bias)|wordloss\.weight"
)


@dataclass(frozen=True)
class CometRun(Run):
    """How texts go through a network; ``Comet`` has the same fields and says what they mean."""

    mix: str = "authors"
    threshold: float | None = None

    def __str__(self) -> str:
        return f"{self.mix}+{super().__str__()}"


class ErrorSpan(NamedTuple):
    """An error that a network marks in a translation: its characters, and how probable its label is on average."""

    severity: str
    start: int
    end: int
    text: str
    confidence: float


class Marked(NamedTuple):
    """What xCOMET says of a translation.

    Attributes
    ----------
    errors : tuple of ErrorSpan
    parts : mapping of str to float
        The scores of its inputs, "src", "ref" and "src+ref", and "mqm", the share of 25 points that the errors leave.
    """

    errors: tuple[ErrorSpan, ...]
    parts: Mapping[str, float]


def runs_of_errors(probabilities: Floats, threshold: float | None = None) -> list[tuple[int, int, int, float]]:
    """The runs of tokens whose label is an error: (label of the first, first, after the last, mean probability).

    As in unbabel-comet, a run that no token without an error ends is left out.

    Parameters
    ----------
    probabilities : float (tokens, labels)
        The first label stands for no error.
    threshold : float, optional
        A token is an error if all other labels together are more probable than this. None: if another label is the
        most probable one.

    Examples
    --------
    >>> runs_of_errors(np.array([[0.9, 0.1], [0.25, 0.75], [0.5, 0.5], [0.4, 0.6]]))
    [(1, 1, 2, 0.75)]
    >>> runs_of_errors(np.array([[0.7, 0.3], [0.9, 0.1]]), threshold=0.2)
    [(1, 0, 1, 0.3)]
    """
    labels = probabilities.argmax(axis=1)
    if threshold is not None:
        wrong = probabilities[:, 1:].sum(axis=1) > threshold
        labels = np.where(wrong, 1 + probabilities[:, 1:].argmax(axis=1), 0)
    own = probabilities[np.arange(len(labels)), labels]
    edges = np.flatnonzero(np.diff(labels != 0, prepend=False)).tolist()
    return [
        (int(labels[first]), first, end, float(own[first:end].mean()))
        for first, end in zip(edges[::2], edges[1::2], strict=False)
    ]


def sparsemax(values: Floats) -> Floats:
    """The shares nearest to some numbers: of those far below the greatest, 0 (Martins and Astudillo 2016).

    Examples
    --------
    >>> sparsemax(np.array([1.0, 0.5, -1.0]))
    array([0.75, 0.25, 0.  ])
    """
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(values) + 1)
    threshold = excess[np.flatnonzero(descending > excess)[-1]]
    shares: Floats = np.maximum(values - threshold, 0.0)
    return shares


def layer_shares(values: Floats, transformation: str) -> Floats:
    """The share of each layer in the mix: a softmax, unless it is "sparsemax".

    Examples
    --------
    >>> layer_shares(np.array([0.0, 0.0]), "softmax"), layer_shares(np.array([0.0, 2.0]), "sparsemax")
    (array([0.5, 0.5]), array([0., 1.]))
    """
    powers = np.exp(values - values.max())
    return sparsemax(values) if transformation == "sparsemax" else powers / powers.sum()


@dataclass(frozen=True, eq=False)
class CometNetwork(RatingNetwork):
    """A network of unbabel-comet with its encoder.

    Attributes
    ----------
    modules : torch.nn.ModuleDict
        "encoder" and "estimator".
    tokenizer, device
        As for ``RatingNetwork``.
    settings : mapping
        What the checkpoint says of it, by unbabel-comet's names.
    layers : float32 (layers,), optional
        The weights of the layers before they are made shares of a mix; None if one layer is taken.
    gamma : float
        The factor of the mix.
    """

    told: Mapping[str, Any]
    layers: Floats | None
    gamma: float

    architecture: ClassVar[str] = "comet"
    owner: ClassVar[str] = "Comet"

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.told

    @property
    def shape(self) -> str:
        config = self.modules["encoder"].config
        hidden = ", ".join(map(str, self.told["hidden_sizes"]))
        return f"{self.told['encoder_model']} of {config.num_hidden_layers} layers of {config.hidden_size}, {hidden}, 1"

    @property
    def inputs(self) -> tuple[str, ...]:
        """The texts that it reads: "mt", and "src" or "ref" or both."""
        if self.is_joint:
            return tuple(self.told["input_segments"])
        return ("mt", "src", "ref") if self.told["class_identifier"] == "regression_metric" else ("mt", "src")

    @property
    def is_joint(self) -> bool:
        """Whether it reads its texts together."""
        return self.told["class_identifier"] in _JOINT

    @property
    def marks_errors(self) -> bool:
        """Whether it marks the errors of a translation, as xCOMET does."""
        return bool(self.told["class_identifier"] == _MARKING)

    @property
    def needs_references(self) -> bool:
        """Whether there is no score without references. A network that reads source and reference together has one."""
        return "ref" in self.inputs and not (self.is_joint and "src" in self.inputs)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the weights, the settings and the tokenizer."""
        mix = None if self.layers is None else [self.gamma, *self.layers.tolist()]
        told = {name: value for name, value in self.told.items() if name != "pretrained_model"}
        return weights_digest(self.modules, self.tokenizer, json.dumps([told, mix], sort_keys=True))

    @property
    def places(self) -> int:
        """The tokens of one input, at most."""
        return int(self.modules["encoder"].config.max_position_embeddings) - 2

    def rate(self, columns: Columns, run: CometRun) -> Rated:
        """The scores; each distinct text, or each row if the encoder reads its texts together, goes through it once."""
        return self._joint(columns, run) if self.is_joint else Rated(*self._separate(columns, run))

    def _separate(self, columns: Columns, run: CometRun) -> tuple[Floats, Counts]:
        """Scores of the vectors of each text."""
        texts = {text: place for place, text in enumerate(dict.fromkeys(t for own in columns.values() for t in own))}
        vectors = vector_store().texts(_Sentences(self, run), [*texts])  # type: ignore[arg-type]  # it has the two names
        left_out = self.tokens([*texts], run)[1]
        places = {name: np.array([texts[text] for text in own], np.int64) for name, own in columns.items()}
        features, count = FEATURES[self.told["class_identifier"]], len(places["mt"])

        def of_rows(rows: slice) -> Any:
            own = {name: self._tensor(vectors[at[rows]]) for name, at in places.items()}
            return self._of_run(run)["estimator"], _features(features, own)

        values = [self._estimated(*of_rows(slice(row, row + _AT_ONCE))) for row in range(0, count, _AT_ONCE)]
        return np.concatenate(values), sum((left_out[at] for at in places.values()), np.zeros(count, np.int64))

    def _joint(self, columns: Columns, run: CometRun) -> Rated:
        """Scores of texts that the encoder reads together: the text with each other one, and with both."""
        tokens, left_out = zip(*(self.tokens(own, run) for own in columns.values()), strict=True)
        inputs = [(0, 1)] if len(tokens) == 2 else [(0, 1), (0, 2), (0, 1, 2)]
        values, labels, cut = [], [], np.zeros(len(tokens[0]), np.int64)
        for chosen in inputs:
            joined = [self._joined([tokens[each][row] for each in chosen]) for row in range(len(cut))]
            cut = np.maximum(cut, [max(len(ids) - self.places, 0) for ids, _ in joined])
            ids, types = ([own[place][: self.places] for own in joined] for place in (0, 1))
            marked = [*map(len, tokens[0])] if self.marks_errors else None
            (vectors, probabilities), estimator = self._encoded(ids, types, run, marked), self._of_run(run)["estimator"]
            rows = (slice(row, row + _AT_ONCE) for row in range(0, len(ids), _AT_ONCE))
            values.append(np.concatenate([self._estimated(estimator, self._tensor(vectors[part])) for part in rows]))
            labels.append(probabilities)
        if not self.marks_errors:
            return Rated(np.mean(values, axis=0), sum(left_out) + cut)
        scores, marks = self._marked(columns["mt"], tokens[0], values, labels, run)
        return Rated(scores, sum(left_out) + cut, marks)

    def _marked(
        self, texts: Sequence[str], tokens: Sequence[list[int]], values: Sequence[Floats], labels: Any, run: CometRun
    ) -> tuple[Floats, list[Marked]]:
        """The score of each text by xCOMET, and what it says of it.

        Parameters
        ----------
        texts : n str
        tokens : n lists of int
        values : one float64 (n,) for each input
        labels : one list for each input
            The probabilities of the labels of each text's tokens.
        """
        few = len(values) == 1
        of_labels = (1.0,) if few else _WEIGHTS_OF_LABELS
        of_scores = (sum(_WEIGHTS_OF_SCORES),) if few else _WEIGHTS_OF_SCORES
        options = {"return_offsets_mapping": True, "return_attention_mask": False, "verbose": False}
        with one_at_a_time:
            cut = {"truncation": True, "max_length": self.most(run)}
            offsets = self.tokenizer([*texts], **options, **cut)["offset_mapping"]
        marks, left = [], np.empty(len(texts))
        for row, ids in enumerate(tokens):
            mixed = np.sum([share * each[row] for share, each in zip(of_labels, labels, strict=True)], axis=0)
            errors = tuple(
                ErrorSpan(
                    [*SEVERITIES][label - 1], offsets[row][first][0], offsets[row][end - 1][1],
                    self.tokenizer.decode(ids[first:end]), confidence,
                )
                for label, first, end, confidence in runs_of_errors(mixed, run.threshold)
            )  # fmt: skip
            points = min(sum(SEVERITIES[each.severity] for each in errors), _MOST_POINTS)
            left[row] = (_MOST_POINTS - points) / _MOST_POINTS
            parts = dict(zip(("src", "ref", "src+ref"), (float(own[row]) for own in values), strict=False))
            marks.append(Marked(errors, {**parts, "mqm": float(left[row])}))
        regression = np.sum(
            [share * np.minimum(own, 1.0) for share, own in zip(of_scores, values, strict=True)], axis=0
        )
        return regression + _WEIGHT_OF_ERRORS * left, marks

    def _joined(self, texts: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """The ids of several texts as one input, and 0 for each of the first text's, otherwise 1."""
        own, kind = self.tokenizer, ENCODERS[self.told["encoder_model"]]
        bare = [[each for each in ids if each != own.pad_token_id][1:-1] for ids in texts]
        between = [own.sep_token_id] * kind.separators
        ids = [own.cls_token_id, *bare[0]]
        for others in bare[1:]:
            ids += [*between, *others]
        first = len(bare[0]) + 2
        return [*ids, own.sep_token_id], [0] * first + [1] * (len(ids) + 1 - first)

    def most(self, run: Run) -> int:
        return min(run.longest or self.places - 2, self.places - 2)

    def vectors(self, ids: list[list[int]], types: list[list[int]] | None, run: CometRun) -> NDArray[np.float32]:
        """The vector of each input, float32 (n, width). Inputs of about the same length go through together."""
        return self._encoded(ids, types, run)[0]

    def _encoded(
        self,
        ids: list[list[int]],
        types: list[list[int]] | None,
        run: CometRun,
        marked: Sequence[int] | None = None,
    ) -> tuple[NDArray[np.float32], list[Floats]]:
        """The vectors, and, of so many of the first tokens of each input, the probabilities of the labels."""
        torch, _ = libraries("Comet")
        modules = self._of_run(run)
        found = np.empty((len(ids), modules["encoder"].config.hidden_size), np.float32)
        labels: list[Floats] = [np.zeros((0, 1 + len(SEVERITIES)))] * len(ids)
        padding = int(self.tokenizer.pad_token_id)
        kinds = types if ENCODERS[self.told["encoder_model"]].types else None
        rows = [np.array(each, np.int64) for each in ids]
        with one_at_a_time, torch.inference_mode():
            for batch in in_batches("COMET", rows, run.batch, padding):
                given = {"input_ids": batch.ids, "attention_mask": None if batch.mask.all() else batch.mask}
                if kinds is not None:
                    given["token_type_ids"] = _padded([kinds[row] for row in batch.rows], 1)
                tensors = {name: each if each is None else self._tensor(each) for name, each in given.items()}
                hidden = modules["encoder"](**tensors, output_hidden_states=True).hidden_states
                full, mask = (self._tensor(each) for each in (batch.ids != padding, batch.mask != 0))
                found[batch.rows] = self._pooled(torch, hidden, full, mask, run).float().cpu().numpy()
                if marked is not None:
                    tags = modules["tagger"](hidden[self.told["word_layer"]]).float().softmax(2).cpu().numpy()
                    for at, row in enumerate(batch.rows):
                        labels[row] = tags[at, : marked[row]]
        return found, labels

    def _pooled(self, torch: Any, hidden: Sequence[Any], full: Any, mask: Any, run: CometRun) -> Any:
        """One vector for each input, (n, width), of the vectors of its tokens on each layer (n, tokens, width)."""
        pool = "cls" if self.is_joint else self.told["pool"]
        layer = self.told["sent_layer" if self.is_joint else "layer"]
        if pool == "default":
            return hidden[-1][:, 0]

        def pooled(vectors: Any) -> Any:
            if pool == "cls":
                return vectors[:, 0]
            if pool == "max":
                return vectors.masked_fill(~full[..., None], -torch.inf).amax(1)
            return torch.bmm(full[:, None].to(vectors.dtype), vectors)[:, 0] / mask.sum(1, keepdim=True)

        if self.layers is None:
            return pooled(hidden[layer])
        said = self.told["layer_transformation"] if run.mix == "authors" else run.mix
        shares = layer_shares(self.layers, said).tolist()
        chosen = [(share, each) for share, each in zip(shares, hidden, strict=True) if share]
        if self.told["layer_norm"]:
            chosen = [(share, _normed(torch, each, mask)) for share, each in chosen]
        # The means of a mix are the mix of the means, which has fewer numbers.
        if pool != "max":
            return self.gamma * sum(share * pooled(each) for share, each in chosen)
        return pooled(self.gamma * sum(share * each for share, each in chosen))

    def _tensor(self, vectors: np.ndarray) -> Any:
        import torch

        return torch.from_numpy(vectors).to(self.device)

    def _estimated(self, estimator: Any, features: Any) -> Floats:
        import torch

        with torch.inference_mode():
            values: Floats = estimator(features.to(estimator[0].weight.dtype))[:, 0].double().cpu().numpy()
        return values

    def _of_run(self, run: CometRun) -> Any:
        """The modules in the precision of a run."""
        return self._quick if run.precision == "fp32" else self.in_precision(run.precision)

    @cached_property
    def _quick(self) -> Any:
        """On a processor, oneDNN multiplies matrices at least as fast as torch's default, and twice as fast on some."""
        torch, _ = libraries("Comet")
        width = self.modules["encoder"].config.hidden_size
        if self.device.type != "cpu" or width < _WIDE or not torch.backends.mkldnn.is_available():
            return self.modules
        from torch.utils.mkldnn import to_mkldnn

        held = (*self.modules.parameters(), *self.modules.buffers())
        same = {id(each): each for each in held}  # the arrays are not copied
        return to_mkldnn(copy.deepcopy(self.modules, same))  # type: ignore[no-untyped-call]  # torch has no types here


class _Sentences:
    """What the store of vectors asks for the vector of each text."""

    def __init__(self, network: CometNetwork, run: CometRun) -> None:
        self.name = f"comet@{network.digest[:24]}+{run}"
        self._network, self._run = network, run

    def encode_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._network.vectors(self._network.tokens(texts, self._run)[0], None, self._run)


def _features(names: Sequence[str], vectors: Mapping[str, Any]) -> Any:
    """The features of each row side by side."""
    import torch

    def of(name: str) -> Any:
        one, sign, other = re.fullmatch(r"(\w+)(?:([*-])(\w+))?", name).groups()  # type: ignore[union-attr]  # of `FEATURES`
        if not sign:
            return vectors[one]
        return vectors[one] * vectors[other] if sign == "*" else (vectors[one] - vectors[other]).abs()

    return torch.cat([of(name) for name in names], dim=1)


def _padded(rows: Sequence[Sequence[int]], padding: int) -> Counts:
    """Rows of ids side by side, (n, longest)."""
    batch = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    for place, row in enumerate(rows):
        batch[place, : len(row)] = row
    return batch


def _normed(torch: Any, vectors: Any, mask: Any) -> Any:
    """The vectors of each input, less their mean and divided by their standard deviation, over all tokens."""
    held = mask[..., None].float()
    count = mask.sum(1)[:, None, None] * vectors.shape[2]
    mean = (vectors * held).sum((1, 2), keepdim=True) / count
    variance = (((vectors * held - mean) * held) ** 2).sum((1, 2), keepdim=True) / count
    return (vectors - mean) / torch.sqrt(variance + 1e-12)


@dataclass(frozen=True, eq=False)
class CometFunction(RatedFunction):
    """A function from texts, sources and references to a number for each, in place of a checkpoint; see its base.

    Examples
    --------
    >>> def common(texts, sources, references):
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in zip(texts, references, strict=True)]
    >>> CometFunction("common words", "1", common).model("comet").metric
    'comet'
    """

    architecture: ClassVar[str] = "comet_function"


def open_released(
    place: Path, config: Mapping[str, Any], encoder: Any = None, device: Any = None, **others: Any
) -> RatingModel:
    """The model in a folder of unbabel-comet: ``hparams.yaml`` and ``checkpoints/model.ckpt``.

    The checkpoint has all weights. Of the encoder's folder only the configuration and the tokenizer are read.

    Parameters
    ----------
    place : path
    config : mapping
        What config.json says, which such a folder has not.
    encoder : path or name on the Hub, or a list of one
        The encoder that the checkpoint was trained from. What the checkpoint names is never opened by itself.
    device : str, optional
        "cuda" by default, if it is there.
    **others
        There are none: how many texts go through at once, and how exactly, are options of the scorer.

    Raises
    ------
    InputError
        If a file is missing or holds anything but weights and plain settings; if the class, a setting, the name or the
        shape of an array is unknown; if there is no encoder.
    """
    torch, transformers = libraries("Comet")
    if others:
        raise InputError(f"open_model: {place} has no option `{min(others)}`; `precision` and `batch` are Comet's.")
    content = read_regular(file_in(place, MARK, "open_model", _MOST_SETTINGS), "open_model", _MOST_SETTINGS)
    state, trained = lightning_checkpoint(
        "open_model", torch, file_in(place, _WEIGHTS, "open_model", MOST_WEIGHTS, within="checkpoints")
    )
    settings, remarks = _settings(place, content, trained)
    source = encoder[0] if isinstance(encoder, list | tuple) and len(encoder) == 1 else encoder
    if not source or not isinstance(source, str | os.PathLike):
        raise InputError(
            f"open_model: {place} was trained from the encoder {shown(settings['pretrained_model'])} "
            "(`pretrained_model`), which is not opened by itself; give its folder or its name on the Hub, by "
            "encoder=... or --encoder. Only its configuration and its tokenizer are read."
        )
    if os.path.isdir(source) and not (Path(source) / "config.json").is_file():
        raise InputError(f"open_model: {os.fspath(source)} is the encoder of {place.name}, and has no config.json.")
    kind = ENCODERS[settings["encoder_model"]]
    bars, what = bars_on_terminals_only(transformers), f"the encoder of {place.name}, {kind.model}"
    encoder_class = getattr(transformers, kind.model)
    with bars, reading("open_model", os.fspath(source), what):
        local = local_files_only(source)
        settled = tokenizer_at(encoder_class.config_class, source, local_files_only=local)
        tokenizer = _tokenizer(transformers, kind, source, local)
    where = f"open_model: {place}"
    with torch.device("meta"):  # no memory is taken, and no random number is drawn
        made = encoder_class(settled, add_pooling_layer=False)
        width = settled.hidden_size * len(FEATURES.get(settings["class_identifier"], ("mt",)))
        estimator = _feed_forward(torch, width, settings)
        parts = {"encoder": made, "estimator": estimator}
        if settings["class_identifier"] == _MARKING:
            parts["tagger"] = torch.nn.Linear(settled.hidden_size, 1 + len(SEVERITIES))
    modules = torch.nn.ModuleDict(parts)
    layer, count = (
        settings["sent_layer" if settings["class_identifier"] in _JOINT else "layer"],
        settled.num_hidden_layers + 1,
    )
    mixed = layer == "mix"
    taken = [*([] if mixed else [layer]), *([settings["word_layer"]] if "tagger" in parts else [])]
    if (layer := max(taken, default=0)) >= count:
        raise InputError(f"{where}: the layer {layer} is taken, and the encoder {source} has {count} of them.")
    layers = [f"layerwise_attention.scalar_parameters.{layer}" for layer in range(count)] if mixed else []
    names = {name: _name(name) for name in modules.state_dict()}
    shapes = {names[name]: tuple(each.shape) for name, each in modules.state_dict().items()}
    _check_state(where, state, {**shapes, **dict.fromkeys([*layers, *["layerwise_attention.gamma"] * mixed], (1,))})
    modules.load_state_dict({name: state[own].float() for name, own in names.items()}, assign=True)
    _fill_buffers(torch, made)
    chosen = device_of("open_model", torch, device)
    if chosen.type == "cpu" and hasattr(made, "set_attn_implementation"):
        made.set_attn_implementation("eager")  # as quick there, and its numbers depend less on the padding
    network = CometNetwork(
        modules.to(chosen).eval().requires_grad_(False),
        tokenizer,
        chosen,
        settings,
        np.array([float(state[name]) for name in layers]) if mixed else None,
        float(state["layerwise_attention.gamma"]) if mixed else 1.0,
    )
    label = label_of(place)
    report = {"trainer": "unbabel-comet", "elsewhere": f"{label} was trained elsewhere; its card says what it reaches"}
    return RatingModel("comet", Features(()), network, report, name_in_signature(label), remarks)


def _tokenizer(transformers: Any, kind: EncoderKind, source: Any, local: bool) -> Any:
    """The tokenizer as its tokenizer.json describes it: newer classes of `transformers` would make it anew."""
    whole = not os.path.isdir(source) or (Path(source) / "tokenizer.json").exists()
    name = "PreTrainedTokenizerFast" if whole else kind.tokenizer
    tokenizer = tokenizer_at(getattr(transformers, name), source, local_files_only=local)
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"open_model: {os.fspath(source)} has no tokenizer, or one without a vocabulary.")
    for mark, token in zip(("cls_token", "sep_token", "pad_token"), kind.marks, strict=True):
        if getattr(tokenizer, mark) is None:
            setattr(tokenizer, mark, token)
    return tokenizer


_PARTS = {"encoder": "encoder.model", "estimator": "estimator.ff", "tagger": "hidden2tag"}


def _name(module: str) -> str:
    """The name in a checkpoint of an array of the modules."""
    part, _, rest = module.partition(".")
    return f"{_PARTS[part]}.{rest}"


def _settings(place: Path, content: bytes, trained: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a checkpoint says of its network, and remarks where its two files differ.

    As in unbabel-comet, the class and `sparsemax_patch` are those of hparams.yaml, and all else is the checkpoint's.
    """
    import yaml

    where = f"open_model: {place / MARK}"
    try:
        # A few lines of aliases within each other stand for more values than any memory holds.
        if alias := next((each for each in yaml.parse(content) if isinstance(each, yaml.AliasEvent)), None):
            raise ValueError(
                f"line {alias.start_mark.line + 1} has the alias *{alias.anchor}; write what it stands for"
            )
        told = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{where} is no YAML of plain values: {str(error).splitlines()[0]:.200}.") from None
    if not isinstance(told, dict):
        raise InputError(f"{where} holds {shown(told)}; settings by their names are expected.")
    named = told.get("class_identifier")
    default = {**_DEFAULTS, "hidden_sizes": None, **(_OF_MARKING if named == _MARKING else {})}
    both = {**default, **told, **trained, "class_identifier": named}
    if told.get("layer_transformation") == "sparsemax_patch":
        both["layer_transformation"] = "sparsemax_patch"
    found = {name: both[name] for name in ("class_identifier", *default)}
    found["hidden_sizes"], found["input_segments"] = map(_listed, (found["hidden_sizes"], found["input_segments"]))
    if named == _MARKING:
        found["input_segments"], found["error_labels"] = [*TEXTS], _listed(found["error_labels"])
        if found["error_labels"] != [*SEVERITIES]:
            raise InputError(
                f"{where}: `error_labels` are {shown(found['error_labels'])}; {[*SEVERITIES]} is expected."
            )
    _SETTINGS(found, where)
    segments = found["input_segments"]
    if segments != [name for name in TEXTS if name in segments] or segments[0] != "mt":
        raise InputError(f"{where}: `input_segments` are {shown(segments)}; mt, then src, ref or both are expected.")
    remarks = [
        f"{MARK} of {place.name} says {name}={shown(told[name])}; the checkpoint's own {shown(found[name])} counts"
        for name in default
        if name in told and _listed(told[name]) != found[name]
    ]
    return found, tuple(remarks)


def _listed(value: Any) -> Any:
    return [*value] if isinstance(value, list | tuple) else value


def _feed_forward(torch: Any, width: int, settings: Mapping[str, Any]) -> Any:
    """The feed-forward network, whose dropout stands in the names of its arrays."""

    def parts() -> Iterator[Any]:
        before = width
        for size in settings["hidden_sizes"]:
            yield torch.nn.Linear(before, size)
            yield getattr(torch.nn, settings["activations"].title())()
            yield torch.nn.Dropout(0.0)
            before = size
        yield torch.nn.Linear(before, 1)
        if settings["final_activation"] is not None:
            yield getattr(torch.nn, settings["final_activation"].title())()

    return torch.nn.Sequential(*parts())


def _check_state(where: str, state: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse a checkpoint whose arrays are not those of the network that its settings and the encoder describe."""
    for name, shape in shapes.items():
        if name not in state:
            raise InputError(f"{where}: the checkpoint has no array {name!r}, of the shape {shape}.")
        if tuple(state[name].shape) != shape:
            raise InputError(
                f"{where}: the array {name!r} has the shape {tuple(state[name].shape)}, where the settings and the "
                f"configuration of the encoder have {shape}."
            )
    if unknown := next((name for name in state if name not in shapes and not _BESIDE.fullmatch(name)), None):
        raise InputError(f"{where}: the checkpoint has the array {shown(unknown)}, which such a network has not.")


def _fill_buffers(torch: Any, encoder: Any) -> None:
    """Make the arrays that `transformers` computes and no checkpoint has."""
    for name, each in [*encoder.named_buffers()]:
        if not each.is_meta:
            continue
        owner, _, last = name.rpartition(".")
        if last not in ("position_ids", "token_type_ids"):
            raise InputError(f"open_model: this version of transformers keeps {name}, which is unknown here.")
        numbers = (
            torch.arange(each.shape[-1]) if last == "position_ids" else torch.zeros(each.shape[-1], dtype=torch.long)
        )
        encoder.get_submodule(owner).register_buffer(last, numbers.expand(each.shape), persistent=False)
