"""A transformer that reads two texts together and gives one number, with its tokenizer: all that BLEURT is."""

from __future__ import annotations

import os
import tempfile
import textwrap
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int
from metrologue.files.forms import TEXT, one_of, only, record, small, whole
from metrologue.files.regular import MOST_WEIGHTS, read_regular
from metrologue.language_models.pretrained import device_of, dtype_of, libraries, reading, tokenizer_at
from metrologue.learned.architectures import Architecture
from metrologue.learned.arrays import check_arrays, shape_of
from metrologue.learned.features import Features
from metrologue.learned.tensors import tensors_from
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.transformer import in_batches

Ids = NDArray[np.int64]

# The kinds of transformers that a folder may have: encoders of texts.
_KINDS = (
    "albert", "bert", "camembert", "deberta", "deberta-v2", "distilbert", "electra", "modernbert", "mpnet", "rembert",
    "roberta", "xlm-roberta",
)  # fmt: skip
_LAYERS = "num_hidden_layers", "n_layers", "num_attention_heads", "n_heads"
_OFF = "is_decoder", "add_cross_attention", "is_encoder_decoder", "output_attentions", "output_hidden_states"
_FOREIGN = "auto_map", "quantization_config", "attn_implementation", "_attn_implementation", "experts_implementation"
# What a configuration may say, whatever its kind; the transformer refuses what is wrong for its own.
_CONFIG = record(
    {"model_type": one_of(_KINDS)},
    {
        **dict.fromkeys(_LAYERS, whole(1, 1000)),
        **dict.fromkeys(_OFF, only(False, None)),
        **dict.fromkeys(_FOREIGN, only(None)),
        "chunk_size_feed_forward": only(0),
        "return_dict": only(True),
    },
    others=small(most=1 << 24),
)
# What `transformers` writes for a tokenizer.
_TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.txt",
    "vocab.json", "merges.txt", "spm.model", "spiece.model", "sentencepiece.bpe.model", "chat_template.jinja",
)  # fmt: skip
# What a configuration of the port and one of a transformer call the same.
_SHARED = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
    "hidden_dropout_prob", "attention_probs_dropout_prob", "max_position_embeddings", "type_vocab_size",
    "initializer_range", "layer_norm_eps", "pad_token_id",
)  # fmt: skip
_WEIGHTS, _PICKLED, _SENTENCE_PIECE = "model.safetensors", "pytorch_model.bin", "spm.model"
_HEAD = "head"  # what the names of the last layer's arrays begin with; all others belong to the transformer
_one_at_a_time = threading.Lock()  # a tokenizer keeps settings from call to call


@dataclass(frozen=True)
class Tokenized:
    """Pairs of texts as ids.

    Attributes
    ----------
    ids, types : list of n int64 arrays
        The tokens of each pair, and to which of its texts each belongs.
    left_out : int64 (n,)
        How many tokens did not fit.
    """

    ids: list[Ids]
    types: list[Ids]
    left_out: Ids
    padding: int

    def batch(self, rows: Sequence[int] | np.ndarray) -> dict[str, Ids]:
        """Some pairs side by side, as a transformer takes them, int64 (rows, longest)."""
        shape = len(rows), max(len(self.ids[row]) for row in rows)
        ids, types, mask = np.full(shape, self.padding, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for at, row in enumerate(rows):
            size = len(self.ids[row])
            ids[at, :size], types[at, :size], mask[at, :size] = self.ids[row], self.types[row], 1
        return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


@dataclass(frozen=True, eq=False)
class PairTransformer(Architecture):
    """A transformer whose first vector of [CLS] text [SEP] other [SEP] a linear layer makes one number of.

    The first vector is that of the pooler (a layer and tanh), if the transformer has one. What is too long loses tokens
    from the end of the longer text, until both fit. Pairs go through in batches of about equal length, on a GPU if
    there is one; the last bits depend on the batch. Raises an InputError if the head is missing, or a number is not
    finite.

    Attributes
    ----------
    weights : mapping of str to float32 arrays
        The transformer's, by its own names, and ``head.weight`` (1, width) and ``head.bias`` (1,).
    config : mapping
        The transformer's configuration, as its config.json has it.
    tokenizer : mapping of str to bytes
        The files of the tokenizer.
    longest : int
        The tokens of a pair, at most.
    batch_size, device, dtype
        As for ``TransformerEncoder``.
    """

    weights: Mapping[str, np.ndarray] = field(repr=False)
    config: Mapping[str, Any] = field(repr=False)
    tokenizer: Mapping[str, bytes] = field(repr=False)
    longest: int
    batch_size: int = 32
    device: Any = None
    dtype: str | None = None

    architecture: ClassVar[str] = "pair_transformer"
    reads_texts: ClassVar[bool] = True
    settings_form: ClassVar = record({"config": _CONFIG, "longest": whole(8, 1 << 16)}, {"dtype": TEXT})
    file_names: ClassVar[tuple[str, ...]] = _TOKENIZER_FILES

    def __post_init__(self) -> None:
        width = shape_of("PairTransformer", self.weights, "head.weight", 2)[1]
        shapes = {name: each.shape for name, each in self.weights.items()}
        shapes |= {"head.weight": (1, width), "head.bias": (1,)}
        check_arrays("PairTransformer", self.weights, shapes)
        checked_int("batch_size", self.batch_size, 1)

    @property
    def settings(self) -> Mapping[str, Any]:
        dtype = {} if self.dtype in (None, "float32") else {"dtype": self.dtype}  # which changes the numbers
        return {"config": dict(self.config), "longest": self.longest, **dtype}

    @property
    def shape(self) -> str:
        config = self.config
        layers, width = config.get("num_hidden_layers", "?"), config.get("hidden_size", "?")
        return f"{config.get('model_type')} of {layers} layers of {width}, then 1"

    def tensors(self) -> dict[str, np.ndarray]:
        return dict(self.weights)

    def files(self) -> Mapping[str, bytes]:
        return self.tokenizer

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        return cls(tensors, settings["config"], files, settings["longest"], dtype=settings.get("dtype"))

    def score_pairs(self, texts: Sequence[str], others: Sequence[str]) -> tuple[Floats, Ids]:
        """The number of each pair, float64 (n,), and how many tokens of it were left out, int64 (n,)."""
        torch, _ = libraries("PairTransformer")
        pairs = self.tokenized(texts, others)
        scores = np.empty(len(texts))
        transformer, head = self._modules
        device, rows = head.weight.device, transformer.get_input_embeddings().num_embeddings
        if (greatest := max((int(ids.max(initial=pairs.padding)) for ids in pairs.ids), default=0)) >= rows:
            raise InputError(
                f"PairTransformer: its tokenizer has the id {greatest}, and the transformer {rows} vectors."
            )
        with torch.inference_mode():
            for each in in_batches("BLEURT", pairs.ids, self.batch_size, pairs.padding):
                batch = {name: torch.from_numpy(part).to(device) for name, part in pairs.batch(each.rows).items()}
                scores[each.rows] = head(first_vectors(transformer, batch))[:, 0].float().double().cpu().numpy()
        return scores, pairs.left_out

    def tokenized(self, texts: Sequence[str], others: Sequence[str]) -> Tokenized:
        """The pairs as ids."""
        own = self._tokenizer
        padding = int(own.pad_token_id or 0)
        if not len(texts):
            return Tokenized([], [], np.zeros(0, np.int64), padding)
        options = {"return_token_type_ids": True, "return_attention_mask": False, "verbose": False}
        with _one_at_a_time:
            lengths = np.array([len(ids) for ids in own([*texts], [*others], **options)["input_ids"]])
            cut = own([*texts], [*others], truncation="longest_first", max_length=self.longest, **options)
        ids, types = ([np.array(each, np.int64) for each in cut[name]] for name in ("input_ids", "token_type_ids"))
        return Tokenized(ids, types, np.maximum(lengths - self.longest, 0), padding)

    @cached_property
    def _tokenizer(self) -> Any:
        _, transformers = libraries("PairTransformer")
        with tempfile.TemporaryDirectory() as folder, reading("PairTransformer", folder, "a tokenizer"):
            for name, content in self.tokenizer.items():
                (Path(folder) / name).write_bytes(content)
            return tokenizer_at(transformers.AutoTokenizer, folder, local_files_only=True)

    @cached_property
    def _modules(self) -> tuple[Any, Any]:
        """The transformer and the last layer, as modules of torch that are not trained any more."""
        torch, _ = libraries("PairTransformer")
        with torch.device("meta"):  # which takes no memory, whatever sizes the configuration has
            expected = transformer_of(self.config).state_dict()
        given = {name: each for name, each in self.weights.items() if not name.startswith(f"{_HEAD}.")}
        shapes = {name: tuple(each.shape) for name, each in expected.items()}
        check_arrays("PairTransformer: the weights do not fit the configuration", given, shapes)
        transformer = transformer_of(self.config)
        own = {name: torch.from_numpy(np.array(each)) for name, each in self.weights.items()}
        last = {name.removeprefix(f"{_HEAD}."): own.pop(name) for name in [*own] if name.startswith(f"{_HEAD}.")}
        head = torch.nn.Linear(last["weight"].shape[1], 1)
        device = device_of("PairTransformer", torch, self.device)
        dtype = dtype_of("PairTransformer", torch, self.dtype) or torch.float32
        try:
            transformer.load_state_dict(own)
            head.load_state_dict(last)
            transformer, head = (each.to(device, dtype).eval() for each in (transformer, head))
            # The longest pair goes through once: what does not fit is found here, before any text.
            zeros = torch.zeros((1, self.longest), dtype=torch.long, device=device)
            longest = {"input_ids": zeros, "token_type_ids": zeros, "attention_mask": zeros + 1}
            with torch.inference_mode():
                head(first_vectors(transformer, longest))
        except Exception as error:  # each layer has errors of its own
            told = textwrap.shorten(str(error), 300)
            raise InputError(f"PairTransformer: the weights do not fit the configuration: {told}") from None
        return transformer, head


def transformer_of(config: Mapping[str, Any]) -> Any:
    """A transformer with this configuration; its weights are drawn from torch's generator.

    Raises an InputError if `transformers` does not know its kind.
    """
    _, transformers = libraries("PairTransformer")
    with reading("PairTransformer", str(config.get("model_type")), "a kind of transformer"):
        made = transformers.AutoConfig.for_model(**config)
        return transformers.AutoModel.from_config(made, dtype="float32", trust_remote_code=False)


def first_vectors(transformer: Any, batch: Mapping[str, Any]) -> Any:
    """The vector of each pair (rows, width): that of the pooler, or otherwise that of the first token."""
    types = getattr(transformer.config, "type_vocab_size", 0) or 0
    given = {name: each for name, each in batch.items() if name != "token_type_ids" or types > 1}
    found = transformer(**given)
    pooled = getattr(found, "pooler_output", None)
    return found.last_hidden_state[:, 0] if pooled is None else pooled


def tokenizer_files(tokenizer: Any) -> dict[str, bytes]:
    """The files of a tokenizer of `transformers`, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        found = {each.name: each.read_bytes() for each in sorted(Path(folder).iterdir()) if each.is_file()}
    if unknown := sorted(found.keys() - {*_TOKENIZER_FILES}):
        raise InputError(f"PairTransformer: the tokenizer has a file {unknown[0]}; a model's folder cannot have it.")
    return found


RELEASED = "a folder of BLEURT's port to PyTorch (model_type bleurt)"


def open_released(place: Path, config: Mapping[str, Any], encoder: Any = None, **options: Any) -> TrainedModel | None:
    """The model in a folder of BLEURT's port to PyTorch (https://github.com/lucadiliello/bleurt-pytorch); else None.

    Such a folder has config.json, model.safetensors and a tokenizer. A model with narrow embeddings, as BLEURT-20 has
    them, is laid out as RemBERT is, and any other one as BERT is; only the names of the arrays differ. Raises an
    InputError if its weights are pickled or missing, it has several outputs, or its tokenizer cannot be read.
    """
    if config.get("model_type") != "bleurt":
        return None
    if not (place / _WEIGHTS).is_file():
        pickled = (place / _PICKLED).is_file()
        why = f"and {_PICKLED}, which is pickled, is not read; save it anew with save_pretrained" if pickled else ""
        raise InputError(f"open_model: {place} has no {_WEIGHTS}{', ' * pickled}{why}.")
    tensors, _ = tensors_from(read_regular(place / _WEIGHTS, "open_model", MOST_WEIGHTS), str(place / _WEIGHTS))
    if "classifier.bias" not in tensors or tensors["classifier.bias"].shape != (1,):
        raise InputError(f"open_model: {place} has no classifier with one output, which BLEURT has.")
    narrow = config.get("embedding_size")
    own = {key: config[key] for key in _SHARED if key in config}
    if narrow is None:
        kind = {"model_type": "bert", **own}
    else:
        kind = {"model_type": "rembert", "input_embedding_size": narrow, **own}
        kind |= dict.fromkeys(("bos_token_id", "eos_token_id"))
    most, where = own.get("max_position_embeddings", 512), f"open_model: {place / 'config.json'}"
    PairTransformer.settings_form({"config": kind, "longest": most}, where)
    with reading("open_model", str(place), "a tokenizer"):
        tokenizer = _tokenizer(place)
        longest = min(most, int(tokenizer.model_max_length or most))
    weights = {_renamed(name): each.astype(np.float32) for name, each in tensors.items() if "position_ids" not in name}
    network = PairTransformer(weights, kind, tokenizer_files(tokenizer), longest, **options)
    named = os.path.basename(os.path.realpath(place))
    told = f"it was trained elsewhere, as {named}; its authors say what it reaches"
    return TrainedModel("bleurt", Features(()), network, {"trainer": "BLEURT's port to PyTorch", "elsewhere": told})


def _tokenizer(place: Path) -> Any:
    _, transformers = libraries("open_model")
    kind = transformers.DebertaV2Tokenizer if (place / _SENTENCE_PIECE).is_file() else transformers.BertTokenizer
    return tokenizer_at(kind, place, local_files_only=True)


def _renamed(name: str) -> str:
    """The name of an array as `transformers` has it."""
    own = name.removeprefix("bleurt.").replace("embedding_projection", "embedding_hidden_mapping_in")
    return own.replace("classifier.", "head.") if own.startswith("classifier.") else own
