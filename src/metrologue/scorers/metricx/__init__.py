"""MetricX: the error score that a network gives to a translation, trained on people's ratings (Juraska et al. 2023)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import SEGMENTS, model_option
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.translations import TranslationRating
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.learned.translation import Rated

__all__ = ["MetricX"]


@dataclass(frozen=True, kw_only=True)
class MetricX(TranslationRating):
    """The error score that a trained mT5 gives to a translation, from 0 (perfect) to 25; lower is better.

    The encoder reads the translation with its source, a reference or both as one text, and the decoder makes one number
    of it: the output of a token that means nothing otherwise, cut to 0 and 25. The score of a corpus is the mean of its
    segments. The scale is that of MQM: a minor error costs about 1, a major one 5. MetricX-24 is hybrid: it reads what
    is there. A model of 2023 reads either a reference or, as a "QE" model, the source.

    The checkpoint is a folder as the authors publish it, with ``config.json`` and the weights, which are read as
    numbers alone. It has no tokenizer; that of the mT5 that it was trained from is given with it:
    ``metrologue.learned.open_model(folder, encoder="google/mt5-xl")``. Both need torch and transformers. Each distinct
    row of texts is read once. The last bits depend on the texts that are read together, so scores of the same texts
    agree to 1e-6 of the scale.

    Raises
    ------
    InputError
        If there is no `model`, torch or transformers is missing, or texts that the model reads; if a row is longer than
        `longest` and `too_long` is "error".

    References
    ----------
    Juraska et al. 2023, https://aclanthology.org/2023.wmt-1.63; Juraska et al. 2024,
    https://aclanthology.org/2024.wmt-1.35; the program at https://github.com/google-research/metricx.

    Examples
    --------
    A function stands for the model here:

    >>> from metrologue.scorers.metricx.network import MetricXFunction
    >>> def missing(translations, sources, references):
    ...     pairs = zip(translations, references, strict=True)
    ...     return [5 * len({*other.split()} - {*one.split()}) for one, other in pairs]
    >>> metricx = MetricX(model=MetricXFunction("missing words", "1", missing).model("metricx"))
    >>> metricx.segments(["a dog sat", "it rains"], ["a cat sat", "a cat sat"], sources=["un chat", "il pleut"])
    array([ 5., 15.])

    A checkpoint:

    >>> from metrologue.learned import open_model
    >>> model = open_model("path/of/metricx-24-hybrid-xl-v2p6", encoder="google/mt5-xl")  # doctest: +SKIP
    >>> MetricX(model=model).corpus(["a dog"], ["a cat"], sources=["un chat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "metricx"
    about: ClassVar = replace(
        TranslationRating.about, papers=("juraska-etal-2024-metricx", "juraska-etal-2023-metricx")
    )
    title: ClassVar[str] = "MetricX"
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", required=False, about="the text that each prediction is a translation of"),
        texts("references", many=True, required=False, about="translations by people"),
    )
    _authors: ClassVar[str] = (
        "give the folder of a checkpoint, such as a download of "
        "https://huggingface.co/google/metricx-24-hybrid-large-v2p6, with the tokenizer of its mT5, such as "
        "google/mt5-large."
    )
    _program: ClassVar[str] = "the authors' predict.py"

    model: NamedTrained | None = model_option(
        what="network", folder="the folder of a checkpoint of MetricX, opened with the tokenizer of its mT5"
    )
    # fmt: off
    precision: str = option(
        "stored", stage="read", choice="precision",
        about="How exactly the network computes.",
        one_of={
            "stored": "as exactly as the checkpoint's weights are stored, as in the program of MetricX-24",
            "fp32": "in 32 bits, as in the program of MetricX-23",
            "bf16": "in the 16 bits of bfloat16: it takes half the memory",
            "fp16": "in the 16 bits of float16, in which mT5 may overflow",
        },
    )
    longest: int | None = option(
        1536, stage="read", choice="long texts", least=3, greatest=1 << 20,
        about="The tokens of the texts that are read as one, with the one at the end, which is not read. None: all.",
    )
    prompt: str = option(
        "hybrid", stage="read", choice="prompt",
        about="What the encoder reads.",
        one_of={
            "hybrid": "\"source: ... candidate: ... reference: ...\", as MetricX-24; without references only what "
            "stands before them, and without sources an empty one",
            "reference": "\"candidate: ... reference: ...\", as MetricX-23",
            "source": "\"candidate: ... source: ...\", as MetricX-23-QE",
        },
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "metricx", 0, "25 * scale", better="lower", title="MetricX",
            about="the error score that the network gives",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("metricx_sum", "segments")

    @property
    def _network(self) -> Any:
        from metrologue.scorers.metricx.network import MetricXFunction, MetricXNetwork

        network = self._trained.network
        return network if isinstance(network, MetricXFunction) else self._trained.network_as(MetricXNetwork)

    @property
    def _run(self) -> Any:
        from metrologue.scorers.metricx.network import MetricXRun

        return MetricXRun(self.precision, self.batch, self.longest, self.prompt)

    @property
    def _reads(self) -> tuple[str, ...]:
        from metrologue.scorers.metricx.network import PROMPTS

        return PROMPTS[self.prompt]

    def _check_inputs(self, segments: Segments) -> None:
        super()._check_inputs(segments)
        inputs = {"src": "sources", "ref": "references"}
        given = [name for name in inputs if self._read(segments, name)]
        if not given:
            needed = " and ".join(f"`{inputs[name]}`" for name in inputs if name in self._reads)
            more = "; it reads one of them or both" if self.prompt == "hybrid" else ""
            raise InputError(f"MetricX: {needed} are missing, with which prompt={self.prompt!r} rates{more}.")

    def _rated(self, segments: Segments) -> Rated:
        rated = super()._rated(segments)
        return rated._replace(scores=np.clip(rated.scores, 0.0, 25.0))

    @property
    def _reader(self) -> str:
        return f"prompt={self.prompt!r}"

    def _remarks(self) -> tuple[str, ...]:
        """A warning if the name of the checkpoint says that it was trained with another prompt."""
        named = re.search(r"metricx-(23-qe|23|24)", getattr(self._trained, "label", "").lower())
        trained = f"metricx-{named[1]}" if named else ""
        if not named or self.variants()[trained].fields.get("prompt", "hybrid") == self.prompt:
            return super()._remarks()
        told = f"{self.model} was trained with another prompt than {self.prompt!r}; give variant={trained!r}"
        return (*super()._remarks(), told)

    _variants: ClassVar = {
        "metricx-24": Variant(
            "metricx", "the scores of metricx24/predict.py, and without references those of --qe",
            recommended=Recommended(
                "its numbers are those of the authors' program; name the checkpoint with it",
                "juraska-etal-2024-metricx",
            ),
        ),
        "metricx-23": Variant(
            "metricx", "the scores of metricx23/predict.py",
            {"prompt": "reference", "longest": 1024, "precision": "fp32"},
        ),
        "metricx-23-qe": Variant(
            "metricx", "the scores of metricx23/predict.py --qe, without references",
            {"prompt": "source", "longest": 1024, "precision": "fp32"},
        ),
    }  # fmt: skip
