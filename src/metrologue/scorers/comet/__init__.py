"""COMET: a rating that a network trained on people's judgements gives to a translation (Rei et al. 2020)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, number_of
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import SEGMENTS, TrainedPairScorer, model_option
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.unknown import unknown_hints
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["Comet"]


@dataclass(frozen=True, kw_only=True)
class Comet(TrainedPairScorer):
    """The rating that a trained network gives to a translation, its source and its reference; higher is better.

    An encoder makes vectors of the texts, and a feed-forward network on top makes one number of them. The score of a
    corpus is the mean of its segments. Which texts are read depends on the checkpoint: most models read a reference,
    and those for quality estimation, such as CometKiwi, the source alone. The scale is that of the ratings that it was
    trained on: about 0 to 1 for the models of 2022, z-scores around 0 for those of 2020. Scores of two checkpoints must
    not be compared.

    The checkpoint is a folder as unbabel-comet saves it, with ``hparams.yaml`` and ``checkpoints/model.ckpt``, and
    needs torch and transformers alone. ``metrologue.learned.open_model(folder, encoder)`` opens it; the encoder is the
    folder or the name of the model that it was trained from, of which only the configuration and the tokenizer are
    read. A text is encoded once, however many systems and scorers have it. The last bits depend on the texts that are
    encoded together, so scores of the same texts agree to 1e-6.

    Raises
    ------
    InputError
        If there is no `model`, torch or transformers is missing, sources are missing, or references that the model
        reads; if a text is longer than the model's context and `too_long` is "error".

    References
    ----------
    Rei et al. 2020, https://aclanthology.org/2020.emnlp-main.213; Rei et al. 2022,
    https://aclanthology.org/2022.wmt-1.52 and https://aclanthology.org/2022.wmt-1.60 (CometKiwi); the package
    unbabel-comet.

    Examples
    --------
    A function stands for the model here:

    >>> from metrologue.scorers.comet.network import CometFunction
    >>> def common(translations, sources, references):
    ...     pairs = zip(translations, references, strict=True)
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in pairs]
    >>> comet = Comet(model=CometFunction("common words", "1", common).model("comet"))
    >>> comet.segments(["a dog sat", "it rains"], ["a cat sat", "a cat sat"], sources=["un chat", "il pleut"])
    array([0.5, 0. ])

    A checkpoint:

    >>> from metrologue.learned import open_model
    >>> model = open_model("path/of/wmt22-comet-da", encoder="path/of/xlm-roberta-large")  # doctest: +SKIP
    >>> Comet(model=model).corpus(["a dog"], ["a cat"], sources=["un chat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "comet"
    about: ClassVar = replace(
        TrainedPairScorer.about,
        needs="a released checkpoint",
        papers=("rei-etal-2020-comet", "rei-etal-2022-comet", "rei-etal-2022-cometkiwi"),
        running={
            "batch_size": ("batch", {}),
            "dtype": ("precision", {"float32": "fp32", "float16": "fp16"}),
        },
    )  # fmt: skip
    title: ClassVar[str] = "COMET"
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", about="the text that each prediction is a translation of"),
        texts("references", many=True, required=False, about="most models compare translations with them"),
    )

    model: NamedTrained | None = model_option(
        what="network", folder="the folder of a checkpoint of unbabel-comet, opened with its encoder"
    )
    # fmt: off
    precision: str = option(
        "fp32", stage="read", choice="precision",
        about="How exactly the network computes.",
        one_of={"fp32": "in 32 bits", "fp16": "in 16 bits, as on GPUs: it takes half the memory"},
    )
    batch: int = option(
        16, stage="read", choice="padding", least=1, greatest=1 << 20,
        about="How many texts of about the same length go through the network at once. It changes the last bits.",
    )
    longest: int | None = option(
        None, stage="read", choice="long texts", least=3, greatest=1 << 20,
        about="The tokens of a text, with the one before and the one after it. None: as in unbabel-comet, four less "
        "than the encoder has positions (510 for XLM-R); a higher number is the same.",
    )
    too_long: str = option(
        "cut", stage="read", choice="long texts",
        about="What happens to a text that has more tokens, or to texts that do not fit together where they are read "
        "as one.",
        one_of={"cut": "its end is left out, and a warning counts such texts", "error": "it is refused"},
    )
    mix: str = option(
        "authors", stage="read", choice="layers",
        about="How the numbers of the encoder's layers become their shares in the mix.",
        one_of={
            "authors": "as the checkpoint says: a softmax or a sparsemax; \"sparsemax_patch\" is a softmax, as in "
            "unbabel-comet",
            "softmax": "always a softmax, as in unbabel-comet 1",
            "sparsemax": "always a sparsemax",
        },
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "comet", -math.inf, math.inf, better="higher", title="COMET",
            about="the rating that the network gives",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("comet_sum", "segments")

    @property
    def _trained(self) -> TrainedModel:
        if self.model is None:
            raise InputError(
                "Comet: `model` is missing; give the folder of a checkpoint, such as a download of "
                "https://huggingface.co/Unbabel/wmt22-comet-da, with its encoder, the model that it was trained from."
            )
        return self.model.trained

    @property
    def _network(self) -> Any:
        from metrologue.scorers.comet.network import CometFunction, CometNetwork

        network = self._trained.network
        return network if isinstance(network, CometFunction) else self._trained.network_as(CometNetwork)

    def _check_inputs(self, segments: Segments) -> None:
        super()._check_inputs(segments)
        if self.model is not None and self._network.needs_references and not segments.has("references"):
            raise InputError(f"Comet: `references` are missing; {self.model} compares translations with them.")

    def _reads_references(self, segments: Segments) -> bool:
        return "ref" in self._network.inputs and segments.has("references")

    def _compared(self, segments: Segments) -> Segments:
        """The segments; if no references are read, each with itself as its only one."""
        if self._reads_references(segments):
            return segments
        columns = {name: segments.columns[name] for name in ("predictions", "sources")}
        return segments.memoize(
            ("without references",),
            lambda: Segments.of_columns({**columns, "references": segments.columns["predictions"]}),
        )

    @property
    def _run(self) -> Any:
        from metrologue.scorers.comet.network import Run

        return Run(*(getattr(self, name) for name in _RUN))

    def _ratings(self, segments: Segments) -> tuple[Floats, NDArray[np.int64]]:
        """The score of each pair, and how many tokens of its texts were left out."""
        key = ("ratings", *(getattr(self, name) for name in ("model", *_RUN)))
        rated: tuple[Floats, NDArray[np.int64]] = segments.memoize(key, lambda: self._rated(segments))
        return rated

    def _rated(self, segments: Segments) -> tuple[Floats, NDArray[np.int64]]:
        compared = self._compared(segments)
        rows = np.repeat(np.arange(len(segments)), np.diff(compared.reference_offsets))
        own, sources = (compared.texts(name).to_pylist() for name in ("predictions", "sources"))
        columns = {"mt": [own[row] for row in rows], "src": [sources[row] for row in rows]}
        if self._reads_references(segments):
            columns["ref"] = compared.texts("references").to_pylist()
        scores, left_out = self._network.score(columns, self._run)
        return scores, left_out

    def _pair_statistics(self, segments: Segments) -> Floats:
        scores, left_out = self._ratings(segments)
        if self.too_long == "error":
            self._refuse_long_pairs(segments, left_out, ", its source or its reference is")
        return np.column_stack([scores, np.ones(len(scores))])

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        if self.model is None or not len(segments):
            return []
        hints = [f"Comet: {remark}." for remark in getattr(self.model.trained, "remarks", ())]
        if segments.has("references") and "ref" not in self._network.inputs:
            hints.append(f"Comet: {self.model} reads no references; they play no part.")
        columns = [segments.texts(name).to_pylist() for name in segments.columns]
        hints += unknown_hints("Comet", self._network, [text for each in columns for text in each], segments)
        if long := self._long(segments):
            have = "has" if long == 1 else "have"
            hints.append(
                f"Comet: {number_of(long, 'segment')} {have} a text that is longer than the model's context; its end "
                "was left out, as unbabel-comet does without a word."
            )
        return hints

    def _long(self, segments: Segments) -> int:
        """How many segments have a text that is cut; of a matrix, which has no sources, how many texts are."""
        if segments.has("sources"):
            return int((self._ratings(segments)[1] > 0).sum())
        if not hasattr(self._network, "tokens"):
            return 0
        texts = [text for name in segments.columns for text in segments.texts(name).to_pylist()]
        return int((self._network.tokens([*dict.fromkeys(texts)], self._run)[1] > 0).sum())

    _variants: ClassVar = {
        "unbabel-comet": Variant(
            "unbabel-comet",
            "the scores of predict(), of the checkpoint that is given",
            live="unbabel-comet.comet",
            recommended=Recommended(
                "its numbers are those of the authors' package; name the checkpoint with it", "rei-etal-2022-comet"
            ),
        ),
    }


_RUN = "precision", "batch", "longest", "mix"
