"""What other packages print for ROUGE. Three of them cannot be installed beside `rouge`, or are on no index.

    python -m venv /tmp/one; /tmp/one/bin/pip install py-rouge nltk 'setuptools<80'
    python -m venv /tmp/two; /tmp/two/bin/pip install rouge-chinese
    python tests/metrics/rouge/record.py DATA FILES2ROUGE PYROUGE ROUGESCORE /tmp/one/bin/python /tmp/two/bin/python

DATA has the public test data. The three others are checkouts, of pltrdy/files2rouge and pltrdy/pyrouge, which need
Perl, and of bdusell/rougescore. The numbers are in ``VARIANT.json`` beside this file, their texts here and in DATA.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Corpus = tuple[list[str], list[list[str]]]

ENGLISH = [
    "the", "The", "cats", "cat's", "documents", "documentation", "argued", "argument", "gonna", "wanna", "gimme",
    "cannot", "cannots", "geese", "running", "agreed", "police", "3.5", "state-of-the-art", "U.S.", "Zürich", "<t>",
    "<unk>", "a", "b", "a", "b", "c", "of", "and", "not", ".", ",", ";", "'", '"quoted"', "apologies", "visibly", "İ",
    "K", "hopping", "falling", "possibly", "skies", "dying", "relational", "able", "ably",
]  # fmt: skip
CHINESE = [
    "我们", "喜欢", "猫", "。", "！", "狗。", "好吗？", "？", "”", "“", "......", "……", "……他", ".", "a?", "a.", "，",
]  # fmt: skip
BLANKS = [" "] * 12 + ["  ", "\n", " \n ", " .", ". ", "\t", "\u3000", ""]


def generated(words: list[str], *, seed: int, blanks: list[str], longest: int = 30, references: int = 3) -> Corpus:
    draw = random.Random(seed)

    def text() -> str:
        return "".join(draw.choice(words) + draw.choice(blanks) for _ in range(draw.randrange(1, longest)))

    count = draw.randrange(1, 6)
    return [text() for _ in range(count)], [
        [text() for _ in range(draw.randrange(1, references + 1))] for _ in range(count)
    ]


def cases(count: int = 12) -> dict[str, Corpus]:
    """Generated corpora; the longest are beyond every limit."""
    found = {"English short": (["a b c d"], [["a b c d e", "a"]])}
    for seed in range(count):
        found[f"English {seed}"] = generated(ENGLISH, seed=seed, blanks=BLANKS, longest=[30, 8, 220][seed % 3])
        found[f"Chinese {seed}"] = generated(CHINESE, seed=seed, blanks=BLANKS)
        found[f"lines {seed}"] = generated(ENGLISH, seed=seed, blanks=[" ", " ", " . ", " .", "  "], references=1)
    return found


def single(corpus: Corpus) -> Corpus:
    return corpus[0], [texts[:1] for texts in corpus[1]]


Numbers = dict[str, float]
Run = Callable[[list[Corpus]], list[Numbers]]


def by(interpreter: str, program: str, folder: str = "") -> Run:
    """What a program makes of corpora, in another interpreter: it reads JSON, and writes JSON."""

    def run(corpora: list[Corpus]) -> list[Numbers]:
        whole = f"import json, sys\nfound = []\nfor predictions, references in json.load(sys.stdin):\n{program}"
        done = subprocess.run(
            [interpreter, "-W", "ignore", "-c", f"{whole}\njson.dump(found, sys.stdout)"],
            input=json.dumps(corpora), capture_output=True, text=True, env={**os.environ, "PYTHONPATH": folder},
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(done.stderr)
        return [named(one) for one in json.loads(done.stdout)]

    return run


def named(found: dict[str, dict[str, float]]) -> Numbers:
    """``{"rouge-l": {"p": ...}}`` under our names."""
    letters = {"p": "precision", "r": "recall", "f": "fmeasure"}
    return {
        f"rouge{kind.upper().split('-')[1]}_{letters[letter]}": value
        for kind, triple in found.items()
        for letter, value in triple.items()
    }


# nltk's model finds one sentence in a text without marks, so that it is not needed.
PY_ROUGE = """
    import nltk, rouge
    nltk.word_tokenize = lambda text, language: nltk.tokenize.word_tokenize(text, language, preserve_line=True)
    scorer = rouge.Rouge(metrics=["rouge-n", "rouge-l", "rouge-w"], {})
    found.append(scorer.get_scores(predictions, references))
"""
ROUGE_CHINESE = """
    from rouge_chinese import Rouge
    found.append(Rouge().get_scores(predictions, [texts[0] for texts in references], avg=True))
"""
ROUGESCORE = """
    from rougescore import rouge_l, rouge_n
    pairs = [(one.split(), [text.split() for text in texts]) for one, texts in zip(predictions, references)]
    kinds = {f"rouge-{n}": [rouge_n(*pair, n, 0.5) for pair in pairs] for n in (1, 2)}
    kinds["rouge-l"] = [rouge_l(*pair, 0.5) for pair in pairs]
    found.append({kind: {"f": sum(values) / len(values)} for kind, values in kinds.items()})
"""
FILES2ROUGE = """
    import contextlib, io, logging, pathlib, re, tempfile, types
    logging.disable(logging.CRITICAL)
    program = pathlib.Path({!r}, "files2rouge", "RELEASE-1.5.5")
    settings = types.ModuleType("files2rouge.settings")
    settings.Settings = lambda: types.SimpleNamespace(
        _load=int, data=dict(ROUGE_path=str(program / "ROUGE-1.5.5.pl"), ROUGE_data=str(program / "data"))
    )
    sys.modules["files2rouge.settings"] = settings
    sys.path += [{!r}, {!r}]
    import files2rouge
    files2rouge.settings = settings
    from files2rouge import files2rouge as wrapper
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
        files = [pathlib.Path(folder, name) for name in ("summaries", "references")]
        for file, texts in zip(files, [predictions, [texts[0] for texts in references]]):
            file.write_text("".join(text + "\\n" for text in texts), "utf-8")
        wrapper.run(*map(str, files), stemming={})
    rows = re.findall(r"^1 (ROUGE-\\S+) Average_([RPF]): (\\S+)", printed.getvalue(), re.MULTILINE)
    numbers = {{}}
    for kind, letter, value in rows:
        numbers.setdefault(kind, {{}})[letter.lower()] = float(value)
    found.append(numbers)
"""


def record(folder: Path, variant: str, tool: str, version: str, runs: dict[str, tuple[str, Run]], corpora: Any) -> None:
    """Write what a program makes of each corpus, under each of its options."""
    found = {
        "tool": tool,
        "version": version,
        "commands": {options: command for options, (command, _) in runs.items()},
        "printed": {
            options: dict(zip(corpora, run([*corpora.values()]), strict=True)) for options, (_, run) in runs.items()
        },
    }
    (folder / f"{variant}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def chosen(kind: str, every: dict[str, Corpus], *, one_reference: bool = False) -> dict[str, Corpus]:
    """The corpora that begin with a name, and those of real text."""
    return {
        name: single(corpus) if one_reference else corpus
        for name, corpus in every.items()
        if name.startswith((kind, "real"))
    }


def main(every: dict[str, Corpus], checkouts: list[str], interpreters: list[str], folder: Path = HERE) -> None:
    files2rouge, pyrouge, rougescore = checkouts
    one, two = interpreters
    given = "metrics=['rouge-n', 'rouge-l', 'rouge-w'], "
    readme = "max_n=4, limit_length=True, length_limit=100, length_limit_type='words', weight_factor=1.2"
    calls = {
        "py-rouge": {
            "": "max_n=2",
            "no stems, no limit, alpha 0.2": "max_n=2, stemming=False, limit_length=False, alpha=0.2",
            "25 characters": "max_n=2, length_limit=25",
        },
        "py-rouge-readme": {"": readme, "best": f"{readme}, apply_avg=False, apply_best=True"},
    }
    for variant, options in calls.items():
        record(folder, variant, "py-rouge, with nltk 3.10.4", "1.1", {
            name: (f"rouge.Rouge({given}{text}).get_scores(...)", by(one, PY_ROUGE.format(text)))
            for name, text in options.items()
        }, chosen("English", every))  # fmt: skip
    record(folder, "rouge-chinese", "rouge-chinese", "1.0.3", {
        "": ("rouge_chinese.Rouge().get_scores(..., avg=True)", by(two, ROUGE_CHINESE)),
    }, chosen("Chinese", every, one_reference=True))  # fmt: skip
    record(folder, "rougescore", "github.com/bdusell/rougescore", "0.1.0", {
        "": ("the means of rouge_n(..., 0.5) and rouge_l(..., 0.5)", by(one, ROUGESCORE, rougescore)),
    }, chosen("English", every))  # fmt: skip
    lines = chosen("lines", every, one_reference=True)
    record(folder, "files2rouge", "github.com/pltrdy/files2rouge, with pltrdy/pyrouge dfdff03", "d3d09c8", {
        name: (f"files2rouge references summaries {name}".strip(),
               by(sys.executable, FILES2ROUGE.format(files2rouge, files2rouge, pyrouge, not name)))
        for name in ("", "--no_stemming")
    }, lines)  # fmt: skip


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1]))
    sys.path.insert(0, str(HERE.parents[1] / "helpers"))
    from parity.real_text import real_text

    real = {f"real {name}": corpus for name, corpus in real_text(Path(sys.argv[1]), 20).items()}
    main({**cases(), **real}, sys.argv[2:5], sys.argv[5:7])
