"""The networks of MetricX: mT5 with the output of one token as its rating."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metrologue.errors import InputError
from metrologue.files.forms import only, record, small, whole
from metrologue.language_models.loaded_digest import name_in_signature, weights_digest
from metrologue.language_models.pretrained import (
    bars_on_terminals_only,
    device_of,
    libraries,
    local_files_only,
    model_at,
    one_at_a_time,
    reading,
    tokenizer_at,
)
from metrologue.learned.features import Features
from metrologue.learned.translation import (
    Columns,
    Rated,
    RatedFunction,
    RatingModel,
    RatingNetwork,
    Run,
    label_of,
)
from metrologue.representations.transformer import in_batches

RELEASED = "a folder of MetricX (config.json with MT5ForRegression, and the weights)"
# The texts that each prompt reads.
PROMPTS: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("mt", "src", "ref"),
    "reference": ("mt", "ref"),
    "source": ("mt", "src"),
}
_OUT = "lm_head.weight"
_TOKEN = 250089  # <extra_id_10> of mT5, whose output is the rating
# The files of a tokenizer, of which a folder has one if it was put there.
_TOKENIZERS = "tokenizer.json", "spiece.model"
_WEIGHTS = "*.safetensors", "pytorch_model*.bin"
_CONFIG = record(
    {
        "vocab_size": whole(_TOKEN + 1, 1 << 20),
        **dict.fromkeys(("d_model", "d_ff", "d_kv"), whole(1, 1 << 20)),
        **dict.fromkeys(("num_layers", "num_heads"), whole(1, 1000)),
    },
    {
        "num_decoder_layers": whole(1, 1000),
        "tie_word_embeddings": only(False, None),  # the weights of the outputs are their own
        "is_encoder_decoder": only(True, None),
        **dict.fromkeys(("auto_map", "quantization_config"), only(None)),
    },
    others=small(most=1 << 24),
)


@dataclass(frozen=True)
class MetricXRun(Run):
    """How texts go through a network; ``MetricX`` has the same fields and says what they mean."""

    prompt: str = "hybrid"


def prompts(columns: Columns, prompt: str) -> list[str]:
    """What the encoder reads for each row.

    Examples
    --------
    >>> prompts({"mt": ["a dog"], "src": ["un chien"]}, "hybrid")
    ['source: un chien candidate: a dog']
    >>> prompts({"mt": ["a dog"], "ref": ["a cat"]}, "hybrid"), prompts({"mt": ["a"], "src": ["un"]}, "source")
    (['source:  candidate: a dog reference: a cat'], ['candidate: a source: un'])
    """
    empty = [""] * len(columns["mt"])
    candidates = [f"candidate: {text}" for text in columns["mt"]]
    sources = [f"source: {text}" for text in columns.get("src", empty)]
    references = [f" reference: {text}" for text in columns["ref"]] if "ref" in columns else empty
    parts: Sequence[Sequence[str]] = (sources, candidates) if prompt == "hybrid" else (candidates, sources)
    if prompt == "reference":
        return [one + other for one, other in zip(candidates, references, strict=True)]
    return [f"{one} {two}{other}" for one, two, other in zip(*parts, references, strict=True)]


@dataclass(frozen=True, eq=False)
class MetricXNetwork(RatingNetwork):
    """An mT5 whose decoder gives one number: the output of one token after the first step.

    Attributes
    ----------
    modules : torch.nn.ModuleDict
        "encoder", "decoder", and "head" with the weights of the output of the token.
    tokenizer, device
        As for ``RatingNetwork``.
    """

    architecture: ClassVar[str] = "metricx"
    owner: ClassVar[str] = "MetricX"

    @property
    def shape(self) -> str:
        config = self.modules["encoder"].config
        return f"mT5 of {config.num_layers} layers of {config.d_model}, 1"

    @property
    def inputs(self) -> tuple[str, ...]:
        return PROMPTS["hybrid"]

    @cached_property
    def digest(self) -> str:
        config = self.modules["encoder"].config
        told = {name: getattr(config, name) for name in ("num_heads", "layer_norm_epsilon", "feed_forward_proj")}
        return weights_digest(self.modules, self.tokenizer, repr(sorted(told.items())))

    def most(self, run: Run) -> int | None:
        return run.longest

    def rate(self, columns: Columns, run: MetricXRun) -> Rated:
        """The number of each row, as it is before it is cut to its range."""
        torch, _ = libraries("MetricX")
        found, left_out = self.tokens(prompts(columns, run.prompt), run)
        rows = [np.array(ids[:-1], np.int64) for ids in found]  # the network was trained without the mark at the end
        modules = self.in_precision(run.precision)
        values = np.empty(len(rows))
        with one_at_a_time, torch.inference_mode():
            for batch in in_batches("MetricX", rows, run.batch, int(self.tokenizer.pad_token_id or 0)):
                ids, mask = (torch.from_numpy(each).to(self.device) for each in (batch.ids, batch.mask))
                read = modules["encoder"](input_ids=ids, attention_mask=mask).last_hidden_state
                made = modules["decoder"](
                    input_ids=torch.zeros_like(ids[:, :1]),
                    encoder_hidden_states=read,
                    encoder_attention_mask=mask,
                    use_cache=False,
                ).last_hidden_state
                values[batch.rows] = modules["head"](made[:, 0])[:, 0].float().double().cpu().numpy()
        return Rated(values, left_out)


@dataclass(frozen=True, eq=False)
class MetricXFunction(RatedFunction):
    """A function from texts, sources and references to a number for each, in place of a checkpoint; see its base.

    Examples
    --------
    >>> def missing(texts, sources, references):
    ...     return [5.0 * (one != other) for one, other in zip(texts, references, strict=True)]
    >>> MetricXFunction("missing", "1", missing).model("metricx").metric
    'metricx'
    """

    architecture: ClassVar[str] = "metricx_function"


def open_released(
    place: Path, config: Mapping[str, Any], encoder: Any = None, device: Any = None, **others: Any
) -> RatingModel | None:
    """The model in a folder of MetricX; None if it is none.

    Parameters
    ----------
    place : path
    config : mapping
        What its config.json says.
    encoder : path or name on the Hub, or a list of one
        The mT5 that it was trained from, of which only the tokenizer is read; it may be left out if the folder has it.
    device : str, optional
        "cuda" by default, if it is there.
    **others
        There are none: how many texts go through at once, and how exactly, are options of the scorer.

    Raises
    ------
    InputError
        If the weights are missing, damaged or those of another network, or hold more than numbers; if there is no
        tokenizer.
    """
    if config.get("model_type") != "mt5" or "MT5ForRegression" not in (config.get("architectures") or ()):
        return None
    torch, transformers = libraries("MetricX")
    if others:
        raise InputError(f"open_model: {place} has no option `{min(others)}`; `precision` and `batch` are MetricX's.")
    _CONFIG(dict(config), f"open_model: {place / 'config.json'}")
    label = label_of(place)
    source = encoder[0] if isinstance(encoder, list | tuple) and len(encoder) == 1 else encoder
    if not source and any((place / name).is_file() for name in _TOKENIZERS):
        source = place
    if not source or not isinstance(source, str | os.PathLike):
        raise InputError(
            f"open_model: {label} has no tokenizer; give the mT5 that it was trained from, its folder or its name on "
            "the Hub such as google/mt5-xl, by encoder=... or --encoder. Only its tokenizer is read."
        )
    with bars_on_terminals_only(transformers):
        with reading("open_model", os.fspath(source), "an mT5 with its tokenizer"):
            options = {"local_files_only": local_files_only(source)}
            tokenizer = tokenizer_at(transformers.AutoTokenizer, source, **options)
            if len(tokenizer) <= len(tokenizer.all_special_ids) or tokenizer.pad_token_id is None:
                raise InputError(f"open_model: {os.fspath(source)} has no tokenizer of mT5.")
        with reading("open_model", os.fspath(place), "a checkpoint of MetricX"):
            whole = _whole(place, torch, transformers)
    head = torch.nn.Linear(whole.config.d_model, 1, bias=False)
    head.weight = torch.nn.Parameter(whole.lm_head.weight[_TOKEN : _TOKEN + 1].detach().clone())
    modules = torch.nn.ModuleDict({"encoder": whole.encoder, "decoder": whole.decoder, "head": head})
    chosen = device_of("open_model", torch, device)
    network = MetricXNetwork(modules.to(chosen).eval().requires_grad_(False), tokenizer, chosen)
    report = {"trainer": "MetricX", "elsewhere": f"{label} was trained elsewhere; its card says what it reaches"}
    return RatingModel("metricx", Features(()), network, report, name_in_signature(label))


def _whole(place: Path, torch: Any, transformers: Any) -> Any:
    """The network with the weights of a folder. Raises an InputError if they are not those of its configuration."""
    own = transformers.MT5ForConditionalGeneration
    # Some versions of `transformers` take the weights of the outputs for those of the inputs, which MetricX's are not.
    tied = own._tied_weights_keys
    kept = {name: tied[name] for name in tied if name != _OUT} if isinstance(tied, dict) else [*{*tied} - {_OUT}]
    kind = type("MT5ForRegression", (own,), {"_tied_weights_keys": kept})
    with torch.device("meta"):  # which takes no memory, whatever sizes the configuration has
        count = sum(
            each.numel()
            for each in kind(transformers.MT5Config.from_pretrained(place, trust_remote_code=False)).parameters()
        )
    kinds = (sorted(place.glob(name)) for name in _WEIGHTS)
    files = next(filter(None, kinds), [])
    if 2 * count > (held := sum(path.stat().st_size for path in files)):
        raise InputError(
            f"open_model: {place} has {held:,} bytes of weights, and its config.json describes {count:,} numbers."
        )
    # Weights stay of the type that they are stored in: `transformers` 5 does so by itself.
    stored = {} if int(transformers.__version__.partition(".")[0]) > 4 else {"torch_dtype": "auto"}
    stored["attn_implementation"] = "eager"  # as in the authors' program; its numbers depend less on the padding
    made, loading = model_at(kind, place, output_loading_info=True, local_files_only=True, **stored)
    for name, told in (("missing_keys", "has no weights"), ("unexpected_keys", "also has the weights")):
        if found := sorted(map(str, loading[name])):
            raise InputError(f"open_model: {place} {told} {found[0]}; it is no checkpoint of MetricX.")
    return made
