"""What the programs of older tables print, recorded.

    python tests/metrics/bleu/record.py MOSES TENSOR2TENSOR FAIRSEQ

MOSES is a checkout of github.com/moses-smt/mosesdecoder, at commit 3445289; TENSOR2TENSOR one of
tensorflow/tensor2tensor and FAIRSEQ one of facebookresearch/fairseq. Perl needs XML::Twig (libxml-twig-perl);
mteval-v14.pl also Sort::Naturally, of which it uses the order of whole numbers only: a module with
`sub nsort { sort { $a <=> $b } @_ }` does as well. Neither tensorflow nor torch is needed: the two Python files run on
empty stand-ins for them, and fairseq's counts are those of its libbleu.cpp, which is compiled. What get_ende_bleu.sh
runs is run in its order, but for the file that replaces marks beyond ASCII, which changes the files, not the metric.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
CASES = {
    "German": (
        [
            "Der 40-jährige Präsident sagte: »Das ist nicht 3,5 % wert!«",
            "Die EU-Kommission in Brüssel hat am 5. Mai ja gesagt.",
            "Er kam z. B. nach New York-Stadt, Nr. 5, und blieb...",
            'Wir sind "gut" & müde <br> [hier] | dort',
            "Der Zug fährt um 10:30 Uhr ab (Gleis 7).",
            "ÄPFEL und BIRNEN gibt es",
            "Simone und Gabby waren #1 und #2.",
        ],
        [
            "Der 40-jährige Präsident sagte: \"Das ist keine 3,5 % wert!\"",
            "Die EU-Kommission in Brüssel hat am 5. Mai zugesagt.",
            "Er kam z. B. nach New York, Nr. 5, und blieb ...",
            'Wir sind "gut" und müde <br> [hier] | dort',
            "Der Zug fährt um 10:30 Uhr (Gleis 8) ab.",
            "Äpfel und Birnen gibt es",
            "Simone und Gabby sind #1 und #2.",
        ],
    ),
    "English": (
        [
            "It's a well-known fact, she said: 3.5 % of U.S. users can't.",
            "THE CAT sat on 0 mats, 0 chairs; 3.14 - 5 - 7",
            "Don't panic &amp; don't run -- it is state-of-the-art.",
            "Mr. Smith paid $5,000.50 in Aug.",
        ],
        [
            "It's a well known fact, she said: 3.5 % of U.S. users cannot.",
            "The cat sat on 0 mats, 0 chairs; 3.14 - 5 - 7!",
            "Don't panic & don't run -- it is state-of-the-art.",
            "Mr. Smith paid $5,000.50 last Aug.",
        ],
    ),
    "digits of other kinds": (
        ["It is ½, or 2²; 5. And x² + y² = 1, as ever said", "１．５ und ٣٫٥ are numbers here too"],
        ["It is ½, or 2²; 5. And x² + y² = 1, he said", "１．５ und ٣٫٥ are both numbers here too"],
    ),
    "an order without a match": (["a b c x y z u v w"], ["a b c d e f g h i j k"]),
    "no match": (["a b c d e f"], ["u v w x y z"]),
    "few words": (["a b", "c"], ["a b", "d c"]),
}  # fmt: skip
Case = tuple[list[str], list[str]]


def perl(program: Path, *options: str, text: str) -> str:
    return subprocess.run(["perl", program, *options], input=text, check=True, capture_output=True, text=True).stdout


def multi_bleu(program: Path, *options: str) -> Callable[[Case], str]:
    def run(case: Case) -> str:
        with tempfile.TemporaryDirectory() as folder:
            reference = Path(folder, "reference")
            reference.write_text("".join(f"{line}\n" for line in case[1]), "utf-8")
            printed = perl(program, *options, str(reference), text="".join(f"{line}\n" for line in case[0]))
        return re.findall(r"BLEU = ([\d.]+),", printed)[0]

    return run


def mteval(program: Path, *options: str) -> Callable[[Case], str]:
    def document(kind: str, name: str, texts: list[str]) -> str:
        segments = [f'<seg id="{number}">{escape(text)}</seg>' for number, text in enumerate(texts, 1)]
        head = f'<{kind} setid="s" srclang="xx" trglang="yy" sysid="{name}" refid="{name}">'
        body = f'<doc docid="d" genre="g" origlang="xx">{"".join(segments)}</doc></{kind}>'
        return f'<?xml version="1.0" encoding="UTF-8"?><mteval>{head}{body}</mteval>'

    def run(case: Case) -> str:
        with tempfile.TemporaryDirectory() as folder:
            command = ["perl", str(program), "-b", *options]
            for letter, kind, texts in (("s", "srcset", case[0]), ("r", "refset", case[1]), ("t", "tstset", case[0])):
                path = Path(folder, f"{letter}.xml")
                path.write_text(document(kind, "one", texts), "utf-8")
                command += [f"-{letter}", str(path)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return re.findall(r"BLEU score = ([\d.]+) for system", printed)[0]

    return run


def moses_tokens(program: Path, *options: str) -> Callable[[list[str]], list[str]]:
    return lambda texts: perl(program, "-q", *options, text="".join(f"{line}\n" for line in texts)).split("\n")[:-1]


def loaded(path: Path, **stand_ins: Any) -> dict[str, Any]:
    """The names that a Python file defines, with stand-ins for what it imports."""
    for name, module in stand_ins.items():
        sys.modules[name.replace("__", ".")] = module
    found = sys.modules["program"] = ModuleType("program")
    exec(compile(path.read_text("utf-8"), path, "exec"), found.__dict__)
    return found.__dict__


def module(**names: Any) -> Any:
    made = ModuleType("stand-in")
    made.__dict__.update(names)
    return made


def t2t(path: Path, *, cased: bool) -> Callable[[Case], str]:
    opened = SimpleNamespace(Open=partial(open, encoding="utf-8"))
    program = loaded(
        path,
        six=module(unichr=chr, moves=module(range=range, xrange=range, zip=zip)),
        six__moves=module(range=range, xrange=range, zip=zip),
        tensor2tensor=module(),
        tensor2tensor__data_generators=module(text_encoder=SimpleNamespace(native_to_unicode=lambda text: text)),
        tensorflow=module(gfile=opened, compat=SimpleNamespace(v1=SimpleNamespace(gfile=opened))),
        tensorflow__compat=module(),
        tensorflow__compat__v1=module(gfile=opened),
    )

    def run(case: Case) -> str:
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("hypothesis", "reference")]
            for file, texts in zip(files, case, strict=True):
                file.write_text("\n".join(texts), "utf-8")
            return f"{100 * program['bleu_wrapper'](str(files[1]), str(files[0]), case_sensitive=cased):.4f}"

    return run


def fairseq(checkout: Path) -> Callable[[Case], str]:
    library = Path(tempfile.mkdtemp(), "libbleu.so")
    source = checkout / "fairseq/clib/libbleu/libbleu.cpp"
    subprocess.run(["g++", "-shared", "-fPIC", "-O2", str(source), "-o", str(library)], check=True)
    program = loaded(
        checkout / "fairseq/scoring/bleu.py",
        torch=module(),
        fairseq=module(libbleu=module(__file__=str(library))),
        fairseq__dataclass=module(FairseqDataclass=object),
        fairseq__scoring=module(BaseScorer=object, register_scorer=lambda *_, **__: lambda kind: kind),
        fairseq__scoring__tokenizer=module(EvaluationTokenizer=SimpleNamespace(ALL_TOKENIZER_TYPES=str)),
    )

    def run(case: Case) -> str:
        scorer = program["Scorer"](SimpleNamespace(pad=1, eos=2, unk=3))
        ids: dict[str, int] = {}
        for texts in zip(*case, strict=True):  # as `encode_line` of fairseq's Dictionary
            rows = [[ids.setdefault(word, len(ids) + 4) for word in re.sub(r"\s+", " ", t).split()] for t in texts]
            arrays = [(ctypes.c_int * (len(row) + 1))(*row, 2) for row in rows]
            sizes = [ctypes.c_size_t(len(array)) for array in arrays]
            scorer.C.bleu_add(ctypes.byref(scorer.stat), sizes[1], arrays[1], sizes[0], arrays[0], 1, 2)
        return f"{scorer.score():.4f}"

    return run


def record(variant: str, tool: str, version: str, runs: dict[str, tuple[str, Callable[[Case], str]]]) -> None:
    """Write what a program prints for each case under each of its options."""
    found = {
        "tool": tool,
        "version": version,
        "commands": {options: command for options, (command, _) in runs.items()},
        "printed": {options: {name: run(case) for name, case in CASES.items()} for options, (_, run) in runs.items()},
    }
    (HERE / f"{variant}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(moses: Path, tensor2tensor: Path, checkout: Path) -> None:
    generic, tokenizer = moses / "scripts/generic", moses / "scripts/tokenizer/tokenizer.perl"
    name, version = "github.com/moses-smt/mosesdecoder", "3445289"
    plain, detok = generic / "multi-bleu.perl", generic / "multi-bleu-detok.perl"
    command = "multi-bleu.perl reference < hypothesis"
    record("multi-bleu", name, version, {
        "": (command, multi_bleu(plain)), "-lc": (command.replace("perl ", "perl -lc "), multi_bleu(plain, "-lc")),
    })  # fmt: skip
    command = "multi-bleu-detok.perl reference < hypothesis"
    record("multi-bleu-detok", name, version, {
        "": (command, multi_bleu(detok)), "-lc": (command.replace("perl ", "perl -lc "), multi_bleu(detok, "-lc")),
    })  # fmt: skip

    def split(line: str) -> str:
        return re.sub(r"(\S)-(\S)", r"\1 ##AT##-##AT## \2", line)

    def after(*options: str, compounds: bool = True, lowercase: bool = False) -> Callable[[Case], str]:
        cut, score = moses_tokens(tokenizer, *options), multi_bleu(plain)
        lower = moses_tokens(tokenizer.with_name("lowercase.perl")) if lowercase else list[str]

        def run(case: Case) -> str:
            predictions, references = (lower(cut(texts)) for texts in case)
            if compounds:
                predictions, references = [*map(split, predictions)], [*map(split, references)]
            return score((predictions, references))

        return run

    perl_split = "perl -ple 's{(\\S)-(\\S)}{$1 ##AT##-##AT## $2}g'"
    record("get-ende-bleu", name, version, {
        "": (f"tokenizer.perl -l de | {perl_split} | multi-bleu.perl", after("-l", "de")),
        "moses": ("tokenizer.perl -l de | multi-bleu.perl", after("-l", "de", compounds=False)),
        "moses, lowercase": (
            "tokenizer.perl -l de | lowercase.perl | multi-bleu.perl",
            after("-l", "de", compounds=False, lowercase=True),
        ),
        "moses -a": ("tokenizer.perl -l de -a | multi-bleu.perl", after("-l", "de", "-a", compounds=False)),
    })  # fmt: skip
    record("mteval-v13a", name, version, {
        "": ("mteval-v13a.pl -b -r ref.xml -t tst.xml -s src.xml", mteval(generic / "mteval-v13a.pl")),
        "-c": ("mteval-v13a.pl -b -c -r ref.xml -t tst.xml -s src.xml", mteval(generic / "mteval-v13a.pl", "-c")),
    })  # fmt: skip
    command, international = "mteval-v14.pl -b --international-tokenization", ["--international-tokenization"]
    record("mteval-v14", name, version, {
        "": (command, mteval(generic / "mteval-v14.pl", *international)),
        "-c": (f"{command} -c", mteval(generic / "mteval-v14.pl", *international, "-c")),
        "-c, not international": ("mteval-v14.pl -b -c", mteval(generic / "mteval-v14.pl", "-c")),
    })  # fmt: skip
    hook = tensor2tensor / "tensor2tensor/utils/bleu_hook.py"
    record("t2t-bleu", "github.com/tensorflow/tensor2tensor", "0d149ea", {
        "": ("bleu_wrapper(reference, hypothesis, case_sensitive=True) of bleu_hook.py", t2t(hook, cased=True)),
        "uncased": ("bleu_wrapper(reference, hypothesis) of bleu_hook.py", t2t(hook, cased=False)),
    })  # fmt: skip
    record("fairseq-score", "github.com/facebookresearch/fairseq", "3d262bb", {
        "": ("Scorer.score() of fairseq/scoring/bleu.py", fairseq(checkout)),
    })  # fmt: skip
    texts = [text for case in CASES.values() for side in case for text in side]
    tokens = {
        " ".join(options): moses_tokens(tokenizer, *options)(texts)
        for options in (["-l", "de"], ["-l", "en", "-no-escape"], ["-l", "de", "-a"], ["-l", "fr", "-a", "-no-escape"])
    }
    found = {"tool": name, "version": version, "command": "tokenizer.perl", "texts": texts, "tokens": tokens}
    (HERE / "moses-tokens.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main(*map(Path, sys.argv[1:4]))
