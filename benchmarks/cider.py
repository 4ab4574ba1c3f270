"""CIDEr-D and COCO's whole table against pycocoevalcap."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider as LiveCider
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

from benchmarks.texts import Corpus, flickr
from benchmarks.timing import Row, in_turn, row
from metrologue.files.captions import NUMBERS
from metrologue.scorers import Cider, get_scorer
from metrologue.segments import Segments

__all__ = ["in_process", "whole_table"]


def in_process(corpus: Corpus, rounds: int) -> list[Row]:
    """The score of all systems as one corpus, from Python lists. Nothing is kept from one round to the next."""
    predictions, references = corpus.predictions, corpus.references
    gts, res = ({i: [text] for i, text in enumerate(texts)} for texts in (references, predictions))
    seconds = in_turn(
        {
            "ours": lambda: Cider.variant("pycocoevalcap").corpus(predictions, references),
            "pycocoevalcap": lambda: LiveCider().compute_score(gts, res),
        },
        min(rounds, 3),
    )
    return [row("CIDEr-D, whitespace", seconds, "ours", "pycocoevalcap", 20, 40)]


def whole_table(rounds: int) -> list[Row]:
    """COCO's table of 5,000 images with 5 references each. Both start with texts; the Java programs start each time."""
    predictions, references = flickr()

    def ours() -> None:
        segments = Segments(predictions, references)
        for metric in dict.fromkeys(metric for metric, _ in NUMBERS.values()):
            get_scorer(metric).variant("coco").corpus(segments)

    def theirs() -> None:
        gts = {i: [{"caption": text} for text in own] for i, own in enumerate(references)}
        res = {i: [{"caption": text}] for i, text in enumerate(predictions)}
        with _silent():
            tokens = [PTBTokenizer().tokenize(each) for each in (gts, res)]
            for scorer in (Bleu(4), Meteor(), Rouge(), LiveCider()):
                scorer.compute_score(*tokens)

    seconds = in_turn({"ours": ours, "pycocoevalcap": theirs}, min(rounds, 3))
    return [row("COCO's table, 5,000 images", seconds, "ours", "pycocoevalcap", 10, 20)]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Nothing is printed, by child processes neither."""
    with open(os.devnull, "w") as nothing:
        kept = [os.dup(number) for number in (1, 2)]
        try:
            for number in (1, 2):
                os.dup2(nothing.fileno(), number)
            yield
        finally:
            for number, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, number)
                os.close(copy)
