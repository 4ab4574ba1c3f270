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
_UNIFIED = "unified_metric"
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


def _layer(value: Any, where: str) -> None:
    if value != "mix":
        whole(0, 1000)(value, where)


_SETTINGS = record(
    {
        "class_identifier": one_of([*FEATURES, _UNIFIED]),
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
    }
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

    def __str__(self) -> str:
        return f"{self.mix}+{super().__str__()}"


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
        if self.told["class_identifier"] == _UNIFIED:
            return tuple(self.told["input_segments"])
        return ("mt", "src", "ref") if self.told["class_identifier"] == "regression_metric" else ("mt", "src")

    @property
    def needs_references(self) -> bool:
        """Whether there is no score without references. A network that reads source and reference together has one."""
        both = self.told["class_identifier"] == _UNIFIED and "src" in self.inputs
        return "ref" in self.inputs and not both

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

    def rate(self, columns: Columns, run: CometRun) -> tuple[Floats, Counts]:
        """The scores; each distinct text, or each row if the encoder reads its texts together, goes through it once."""
        joint = self.told["class_identifier"] == _UNIFIED
        return (self._joint if joint else self._separate)(columns, run)

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

    def _joint(self, columns: Columns, run: CometRun) -> tuple[Floats, Counts]:
        """Scores of texts that the encoder reads together: the text with each other one, and with both."""
        tokens, left_out = zip(*(self.tokens(own, run) for own in columns.values()), strict=True)
        inputs = [(0, 1)] if len(tokens) == 2 else [(0, 1), (0, 2), (0, 1, 2)]
        values, cut = [], np.zeros(len(tokens[0]), np.int64)
        for chosen in inputs:
            joined = [self._joined([tokens[each][row] for each in chosen]) for row in range(len(cut))]
            cut = np.maximum(cut, [max(len(ids) - self.places, 0) for ids, _ in joined])
            ids, types = ([own[place][: self.places] for own in joined] for place in (0, 1))
            vectors, estimator = self.vectors(ids, types, run), self._of_run(run)["estimator"]
            rows = (slice(row, row + _AT_ONCE) for row in range(0, len(ids), _AT_ONCE))
            values.append(np.concatenate([self._estimated(estimator, self._tensor(vectors[part])) for part in rows]))
        return np.mean(values, axis=0), sum(left_out) + cut

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
        torch, _ = libraries("Comet")
        encoder = self._of_run(run)["encoder"]
        found = np.empty((len(ids), encoder.config.hidden_size), np.float32)
        padding = int(self.tokenizer.pad_token_id)
        kinds = types if ENCODERS[self.told["encoder_model"]].types else None
        rows = [np.array(each, np.int64) for each in ids]
        with one_at_a_time, torch.inference_mode():
            for batch in in_batches("COMET", rows, run.batch, padding):
                given = {"input_ids": batch.ids, "attention_mask": None if batch.mask.all() else batch.mask}
                if kinds is not None:
                    given["token_type_ids"] = _padded([kinds[row] for row in batch.rows], 1)
                tensors = {name: each if each is None else self._tensor(each) for name, each in given.items()}
                hidden = encoder(**tensors, output_hidden_states=True).hidden_states
                full, mask = (self._tensor(each) for each in (batch.ids != padding, batch.mask != 0))
                found[batch.rows] = self._pooled(torch, hidden, full, mask, run).float().cpu().numpy()
        return found

    def _pooled(self, torch: Any, hidden: Sequence[Any], full: Any, mask: Any, run: CometRun) -> Any:
        """One vector for each input, (n, width), of the vectors of its tokens on each layer (n, tokens, width)."""
        joint = self.told["class_identifier"] == _UNIFIED
        pool = "cls" if joint else self.told["pool"]
        layer = self.told["sent_layer" if joint else "layer"]
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
    modules = torch.nn.ModuleDict({"encoder": made, "estimator": estimator})
    layer, count = (
        settings["sent_layer" if settings["class_identifier"] == _UNIFIED else "layer"],
        settled.num_hidden_layers + 1,
    )
    mixed = layer == "mix"
    if not mixed and layer >= count:
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


def _name(module: str) -> str:
    """The name in a checkpoint of an array of the modules."""
    part, _, rest = module.partition(".")
    return f"encoder.model.{rest}" if part == "encoder" else f"estimator.ff.{rest}"


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
    if named == "xcomet_metric":
        raise InputError(f"{where}: `xcomet_metric` marks the spans of errors, which is not read here.")
    default = {**_DEFAULTS, "hidden_sizes": None}
    both = {**default, **told, **trained, "class_identifier": named}
    if told.get("layer_transformation") == "sparsemax_patch":
        both["layer_transformation"] = "sparsemax_patch"
    found = {name: both[name] for name in ("class_identifier", *default)}
    found["hidden_sizes"], found["input_segments"] = map(_listed, (found["hidden_sizes"], found["input_segments"]))
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
