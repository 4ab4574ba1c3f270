"""The arguments of sacrebleu 2.6's command."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _ArgumentGroup
from collections.abc import Sequence
from typing import Any

from metrologue.scorers.core.variants import LIBRARIES

__all__ = ["parsed"]

_TOKENIZERS = (
    "none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K",
)  # fmt: skip
_FORMATS = ("json", "text", "latex")


def parsed(arguments: Sequence[str]) -> Namespace:
    """The values of all options. A wrong call ends the process as argparse does, with the status 2."""
    options = _parser().parse_args([*arguments])
    chosen = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if chosen in _FORMATS:
        options.format = chosen
    return options


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="metrologue sacrebleu",
        description=(
            f"The command of sacrebleu {LIBRARIES['sacrebleu']} with the same arguments and the same output, computed "
            "by metrologue.\n    metrologue sacrebleu ref.txt -i out.txt -m bleu chrf"
        ),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", "-V", action="version", version=f"sacrebleu {LIBRARIES['sacrebleu']}")
    _test_sets(parser)
    _files(parser)
    _metrics(parser)
    _inference(parser)
    _output(parser)
    return parser


def _flags(group: ArgumentParser | _ArgumentGroup, *names: str, text: str, **more: Any) -> None:
    group.add_argument(*names, action="store_true", help=text, **more)


def _test_sets(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("test sets, which an installed sacrebleu has")
    group.add_argument("--test-set", "-t", help="test set, or several with commas between them")
    group.add_argument(
        "--language-pair", "-l", dest="langpair", help="languages, such as en-de; picks BLEU's tokenizer"
    )
    group.add_argument("--origlang", "-ol", help="only segments written in this language; non-XX: in any other")
    group.add_argument("--subset", help="only segments whose document fits this regular expression")
    group.add_argument("--download", help="download a test set")
    group.add_argument("--echo", nargs="+", help="print fields of a test set, such as src or ref")
    _flags(group, "--list", text="list the test sets")
    _flags(group, "--citation", "--cite", text="print the paper of a test set")


def _files(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("files")
    group.add_argument("refs", nargs="*", default=[], help="files of references, one for each; before -i")
    group.add_argument("--input", "-i", nargs="*", help="files of systems; standard input, with tabs, by default")
    group.add_argument("--num-refs", "-nr", type=int, default=1, help="references in each line of the file, by tabs")
    group.add_argument("--encoding", "-e", default="utf-8", help="encoding of the files (default: %(default)s)")


def _metrics(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("metrics")
    known = ("bleu", "chrf", "ter")
    group.add_argument("--metrics", "-m", choices=known, nargs="+", default=["bleu"], help="default: bleu")
    _flags(group, "--sentence-level", "-sl", text="a line of numbers for each segment")
    bleu = parser.add_argument_group("BLEU")
    bleu.add_argument("--smooth-method", "-s", choices=("none", "floor", "add-k", "exp"), default="exp",
                      dest="bleu_smooth_method", help="smoothing (default: %(default)s)")  # fmt: skip
    bleu.add_argument("--smooth-value", "-sv", type=float, dest="bleu_smooth_value",
                      help="value of floor (default: 0.1) or of add-k (default: 1)")  # fmt: skip
    bleu.add_argument("--tokenize", "-tok", choices=_TOKENIZERS, dest="bleu_tokenize",
                      help="tokenizer (default: 13a; for zh, ja, ko their own)")  # fmt: skip
    _flags(bleu, "--lowercase", "-lc", dest="bleu_lowercase", text="lower case")
    _flags(bleu, "--force", dest="bleu_force", text="no warning for text that looks tokenized")
    chrf = parser.add_argument_group("chrF")
    chrf.add_argument("--chrf-char-order", "-cc", type=int, default=6, help="longest n-gram (default: %(default)s)")
    chrf.add_argument("--chrf-word-order", "-cw", type=int, default=0, help="2: chrF++ (default: %(default)s)")
    chrf.add_argument("--chrf-beta", type=int, default=2, help="weight of recall (default: %(default)s)")
    _flags(chrf, "--chrf-whitespace", text="whitespace counts")
    _flags(chrf, "--chrf-lowercase", text="lower case")
    _flags(chrf, "--chrf-eps-smoothing", text="a small number for what is missing, as in chrF++.py")
    ter = parser.add_argument_group("TER")
    _flags(ter, "--ter-case-sensitive", text="case counts")
    _flags(ter, "--ter-asian-support", text="Asian characters are words")
    _flags(ter, "--ter-no-punct", text="punctuation is dropped")
    _flags(ter, "--ter-normalized", text="tercom's normalization")


def _inference(parser: ArgumentParser) -> None:
    single = parser.add_argument_group("interval of one system")
    _flags(single, "--confidence", "-ci", text="interval by the bootstrap")
    single.add_argument("--confidence-n", "-cin", type=int, default=1000, help="resamples (default: %(default)s)")
    group = parser.add_argument_group("tests of several systems against the first")
    either = group.add_mutually_exclusive_group()
    _flags(either, "--paired-ar", "-par", text="approximate randomization")
    _flags(either, "--paired-bs", "-pbs", text="paired bootstrap")
    group.add_argument("--paired-ar-n", "-parn", type=int, default=10_000, help="trials (default: %(default)s)")
    group.add_argument("--paired-bs-n", "-pbsn", type=int, default=1000, help="resamples (default: %(default)s)")
    group.add_argument("--paired-jobs", "-j", type=int, default=1, help="taken, and not needed here")


def _output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    _flags(group, "--quiet", "-q", text="no warnings")
    _flags(group, "--short", "-sh", text="short signatures")
    _flags(group, "--score-only", "-b", text="only the score")
    group.add_argument("--width", "-w", type=int, default=1, help="decimals (default: %(default)s)")
    _flags(group, "--detail", "-d", text="also the parts of a test set, by language of origin")
    _flags(group, "--no-color", "-nc", text="no colours")
    group.add_argument("--format", "-f", default="json", choices=_FORMATS,
                       help="latex is for several systems (default: %(default)s)")  # fmt: skip
