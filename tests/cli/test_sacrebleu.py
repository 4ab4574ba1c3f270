"""``metrologue sacrebleu`` prints the bytes that sacrebleu prints, and leaves sacrebleu as it was."""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from compared import compared
from sacrebleu import significance
from sacrebleu.metrics import METRICS

from metrologue.cli.sacrebleu import counted_here

# {r}, {r2}: references; {a}, {b}, {c}: systems; {tabs}: two references in each line; {gz}: a packed system.
LINES = """
{r} -i {a} -b
{r} -i {a}
{r} -i {a} -f text
{r} -i {a} --short
{r} -i {a} --short -f text
{r} -i {a} -b -w 4
{r} -i {a} -w 0
{r} -i {a} -w 10 -f text
{r} --input {a} --metrics bleu chrf ter
{r} -i {a} -m bleu chrf ter -f text
{r} -i {a} -m ter chrf bleu -b
{r} -i {a} -m bleu bleu -f text
{r} -i {a} -m bleu chrf ter -f text --short -w 3
{r} -i {gz} -m chrf
{r} {r2} -i {a} -m bleu chrf ter
{r} {r2} -i {a} -m ter -w 5 -b
{tabs} -nr 2 -i {a} -m bleu chrf ter -f text
{tabs} --num-refs 2 -i {a} -b
{r} -i {a} -tok none -f text
{r} -i {a} -tok char
{r} -i {a} -tok intl -w 3
{r} -i {a} --tokenize zh
{r} -i {a} -tok 13a -lc --force
{r} -i {a} -lc -b -w 6
{r} -i {a} -s none
{r} -i {a} -s floor
{r} -i {a} -s floor -sv 0.5 -f text
{r} -i {a} -s add-k
{r} -i {a} -s add-k -sv 2.125
{r} -i {a} -s exp -sv 3
{r} -i {a} -l en-zh
{r} -i {a} -l en-de -tok intl -b
{r} -i {a} -m chrf --chrf-word-order 2
{r} -i {a} -m chrf -cw 1 -cc 4 -f text
{r} -i {a} -m chrf --chrf-beta 3
{r} -i {a} -m chrf --chrf-whitespace
{r} -i {a} -m chrf --chrf-lowercase -w 4
{r} -i {a} -m chrf --chrf-eps-smoothing
{r} {r2} -i {a} -m chrf --chrf-eps-smoothing -cw 2 -f text --short
{r} -i {a} -m ter --ter-case-sensitive
{r} -i {a} -m ter --ter-asian-support --ter-normalized
{r} -i {a} -m ter --ter-no-punct -f text --short
{r} -i {a} -m ter --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive
{r} -i {a} -sl
{r} -i {a} -sl -b -w 4
{r} {r2} -i {a} -sl -m chrf --short
{r} {r2} -i {a} --sentence-level -m ter
{r} -i {a} -sl -s floor -lc
{r} -i {a} --confidence --confidence-n 50
{r} -i {a} -ci -cin 50 -f text -w 4
{r} -i {a} -ci -cin 50 -b -m bleu chrf ter -w 3
{r} {r2} -i {a} -ci -cin 60 -m bleu chrf ter -w 5
{r} -i {a} -ci -cin 40 -m bleu -s add-k -f text
{r} -i {a} -ci -cin 40 -m chrf --chrf-eps-smoothing -cw 2 -f text --short -w 4
{r} -i {a} -ci -cin 1
{r} -i {a} {b}
{r} -i {a} {b} -m bleu chrf ter -f text
{r} -i {a} {b} {c} -m bleu chrf -f latex -w 2
{r} -i {a} {b} -m bleu chrf --short -f text
{r} -i {a} {b} -b
{r} -i {a} {b} --paired-bs --paired-bs-n 60
{r} -i {a} {b} {c} -m bleu chrf ter --paired-bs --paired-bs-n 60 -f text
{r} {r2} -i {a} {b} -m bleu ter -pbs -pbsn 50 -f latex -w 3
{r} -i {a} {b} {a} -m bleu -pbs -pbsn 50 -f text --short
{r} -i {a} {b} -m bleu -s add-k -pbs -pbsn 50 -f text -w 6
{r} -i {a} {b} -s floor -pbs -pbsn 50 -f text -w 6
{r} -i {a} {b} --paired-ar --paired-ar-n 60
{r} -i {a} {b} {c} -m bleu chrf ter -par -parn 60 -f text
{r} -i {a} {b} -m chrf ter -par -parn 60 -f latex -j 2
{r} -i {a} {b} -m chrf ter -par -parn 60 -w 3 -q -nc
""".strip().splitlines()
# What is read from standard input: the lines of so many systems.
PIPED = {
    "{r}": "a",
    "{r} -b -m chrf": "a",
    "{r} -f text -m bleu ter": "ab",
    "{r} -f text -m bleu -pbs -pbsn 40": "abc",
    "{r} -f latex --paired-ar -parn 40": "ab",
    "{tabs} -nr 2 -sl": "a",
}

_REFERENCES = ["The cat sat on the mat, and it slept.", "Zwei Hunde liefen durch den Wald; sie bellten!",
               "I don't know: 3,000 people came.", "他 来到 了 北京。", "Rain fell all day &amp; night.",
               "She reads a book every evening."]  # fmt: skip
_SYSTEMS = {
    "a": ["The cat sat on a mat and slept.", "Zwei Hunde laufen durch den Wald , sie bellen !",
          "I do not know: 3,000 came.", "他 到 了 北京 。", "It rained all day and night.", "She read books."],
    "b": ["A cat slept on the mat.", "Hunde liefen durch den dunklen Wald; sie bellten!",
          "I don't know: three thousand people.", "北京。", "Rain fell all day.", "She reads a book every evening."],
    "c": ["", "Zwei Katzen.", "know I don't: people 3,000 came.", "他来到了北京", "rain  fell all\tday", "every"],
}  # fmt: skip

# What sacrebleu refuses: some lines exit with a status of their own.
REFUSED = """
{r} -i {a} -sl -m bleu chrf
{r} {r2} -nr 2 -i {a}
-i {a}
{r} -t wmt17 -l en-de -i {a}
-t wmt17 -i {a}
-t wmt17 -l en-xx -i {a}
-t nothing -l en-de -i {a}
{r} -i {a} {b} -sl
{r} -i {a} -sl -ci
{r} -i {a} -pbs
{r} -i {a} {b} -ci
{r} -i {a} {a}
{r} -i {short}
{tabs} -nr 3 -i {a}
{r} -i {a} -m rouge
{r} -i {a} -par -pbs
{r} -i {a} -b -w
""".strip().splitlines()
# A process answers all calls of one program.
_ANSWER = """
import json, logging, os, sys
sys.path[:] = [each for each in sys.path if each]

def sacrebleu():
    from sacrebleu.sacrebleu import main
    return main

def metrologue():
    from metrologue.cli import main
    return lambda: main(["sacrebleu", *sys.argv[1:]])

main = globals()[sys.argv[1]]()
answers, calls = os.dup(1), json.load(sys.stdin)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
for arguments, given, out in calls:
    # The command opens both streams again by their numbers, so they are closed before the next line has them.
    os.dup2(os.open(given, os.O_RDONLY), 0)
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
    sys.argv, status = ["sacrebleu", *arguments], 0
    logging.root.handlers.clear()
    try:
        main()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        status = 1
    for stream in (sys.stdout, sys.stdin):
        try:
            stream.flush()
            stream.close()
        except (OSError, ValueError):
            pass
    os.write(answers, f"{status}\\n".encode())
os._exit(0)
"""


def answers(program: str, calls: Sequence[tuple[Sequence[str], str | Path]], folder: Path) -> list[tuple[int, bytes]]:
    """The exit status and the output of a program, "sacrebleu" or "metrologue", for arguments and a standard input."""
    outs = [folder / f"{program}-{i}" for i in range(len(calls))]
    given = [(arguments, str(path), str(out)) for (arguments, path), out in zip(calls, outs, strict=True)]
    ran = subprocess.run(
        [sys.executable, "-c", _ANSWER, program], input=json.dumps(given), capture_output=True, text=True, check=True,
        env={**os.environ, "NO_COLOR": "1"}, cwd=folder,
    )  # fmt: skip
    return [(int(status), out.read_bytes()) for status, out in zip(ran.stdout.split(), outs, strict=True)]


def ours(line: str, folder: Path) -> tuple[int, bytes]:
    [answer] = answers("metrologue", [(shlex.split(line), os.devnull)], folder)
    return answer


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Five times the texts above, with a line that differs each time."""

    def write(name: str, lines: Sequence[str]) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line} {i % 7}\n" for i, line in enumerate([*lines] * 5)), "utf-8")
        return str(path)

    found = {name: write(f"{name}.txt", lines) for name, lines in _SYSTEMS.items()}
    found["r"], found["r2"] = write("r.txt", _REFERENCES), write("r2.txt", [*reversed(_SYSTEMS["b"])])
    return found | _packed(found, tmp_path)


def _packed(files: dict[str, str], folder: Path) -> dict[str, str]:
    """Two references in each line, a packed system, and a file with one line."""
    pairs = zip(*(Path(files[name]).read_text("utf-8").split("\n")[:-1] for name in ("r", "r2")), strict=True)
    (folder / "tabs.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), "utf-8")
    (folder / "a.gz").write_bytes(gzip.compress(Path(files["a"]).read_bytes()))
    (folder / "short.txt").write_text("one line\n")
    return {name: str(folder / file) for name, file in (("tabs", "tabs.txt"), ("gz", "a.gz"), ("short", "short.txt"))}


def check(calls: Sequence[tuple[Sequence[str], str | Path]], folder: Path) -> list[tuple[int, bytes]]:
    """Check that both programs answer alike, and give the answers."""
    found, expected = (answers(program, calls, folder) for program in ("metrologue", "sacrebleu"))
    for call, answer, right in zip(calls, found, expected, strict=True):
        assert answer == right, call
    compared(len(calls))
    return found


def check_lines(lines: Sequence[str], files: dict[str, str], folder: Path) -> None:
    found = check([(shlex.split(line.format(**files)), os.devnull) for line in lines], folder)
    for line, (status, out) in zip(lines, found, strict=True):
        assert (status, bool(out)) == (0, True), line


def test_at_least_sixty_lines_of_arguments(files: dict[str, str], tmp_path: Path) -> None:
    assert len(LINES) >= 60
    check_lines(LINES, files, tmp_path)


def test_refused_lines(files: dict[str, str], tmp_path: Path) -> None:
    found = check([(shlex.split(line.format(**files)), os.devnull) for line in REFUSED], tmp_path)
    assert {status for status, _ in found} == {1, 2, 17}
    assert not any(out for _, out in found)


@pytest.mark.parametrize("seed", ["7", "0", "NONE"])
def test_seeds(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    lines = ["{r} -i {a} -ci -cin 40 -w 4", "{r} -i {a} {b} -pbs -pbsn 40 -f text", "{r} -i {a} {b} -par -parn 40"]
    # Each run has draws of its own, but for the intervals of the seed 0.
    equal = {"7": 3, "0": 1, "NONE": 0}[seed]
    check_lines(lines[:equal], files, tmp_path)
    for line in lines[equal:]:
        status, out = ours(line.format(**files), tmp_path)
        assert status == 0
        if "-par" not in line:
            assert f"seed:{seed.lower()}|" in out.decode()


def test_format_from_the_environment(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_FORMAT", "TEXT")
    check_lines(["{r} -i {a}", "{r} -i {a} {b} -f latex"], files, tmp_path)


def test_standard_input(files: dict[str, str], tmp_path: Path) -> None:
    calls = []
    for number, (line, names) in enumerate(PIPED.items()):
        rows = zip(*(Path(files[name]).read_text("utf-8").split("\n") for name in names), strict=True)
        given = tmp_path / f"piped-{number}"
        text = "\n".join("\t".join(f" {' '.join(field.split())}" for field in row) for row in rows)
        given.write_text(text.strip("\n") + "\r\n", "utf-8")
        calls.append((shlex.split(line.format(**files)), given))
    check(calls, tmp_path)


def test_where_sacrebleu_fails_json_is_printed(files: dict[str, str], tmp_path: Path) -> None:
    """Its JSON of a paired bootstrap test cannot hold the single-precision numbers of chrF and TER."""
    call = "{r} -i {a} {b} -m bleu chrf ter -pbs -pbsn 40".format(**files)
    [(status, _), (_, table)] = answers(
        "sacrebleu", [(shlex.split(line), os.devnull) for line in (call, f"{call} -f text -w 3")], tmp_path
    )
    assert status == 1
    status, out = ours(call, tmp_path)
    assert status == 0
    for row in json.loads(out):
        for name in ("BLEU", "chrF2", "TER"):
            assert f"{row[name]['score']:.3f} ({row[name]['mean']:.3f} ± {row[name]['ci']:.3f})" in table.decode()


def test_wrong_bytes_and_encodings(files: dict[str, str], tmp_path: Path) -> None:
    bad, latin = tmp_path / "bad.txt", tmp_path / "latin.txt"
    bad.write_bytes(b"good\n\xff\n")
    latin.write_text("Grüße\n", "latin-1")
    for line, message in {
        f"{bad} -i {bad}": "invalid start byte; --encoding has the encoding of the files",
        f"{latin} -i {latin} -e utf-99": "unknown encoding: utf-99",
    }.items():
        ran = subprocess.run(
            [sys.executable, "-m", "metrologue", "sacrebleu", *shlex.split(line)], capture_output=True, text=True
        )
        assert (ran.returncode, ran.stdout) == (1, "")
        assert ran.stderr.startswith("Error: ")
        assert message in ran.stderr
    assert ours(f"{latin} -i {latin} -e latin-1 -b -m chrf", tmp_path) == (0, b"100.0\n")


def test_colours_on_a_terminal(files: dict[str, str]) -> None:
    """A terminal shows the same codes."""

    def shown(*command: str) -> bytes:
        leader, follower = pty.openpty()
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        with subprocess.Popen(
            [sys.executable, "-m", *command], stdout=follower, stderr=subprocess.DEVNULL, env=env
        ) as run:
            os.close(follower)
            found = io.BytesIO()
            while True:
                try:
                    data = os.read(leader, 4096)
                except OSError:
                    break
                if not data:
                    break
                found.write(data)
            run.wait()
        os.close(leader)
        return found.getvalue()

    for line in ("{r} -i {a} {b} {c} -m bleu ter -pbs -pbsn 40 -f text", "{r} -i {a} -ci -cin 40 -f text"):
        call = shlex.split(line.format(**files))
        expected = shown("sacrebleu", *call)
        assert b"\x1b[" in expected
        assert shown("metrologue", "sacrebleu", *call) == expected


def test_a_test_set(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are where sacrebleu keeps them, so nothing is downloaded."""
    folder, data = tmp_path / "sets" / "wmt17", sacrebleu.DATASETS["wmt17"]
    lines = Path(files["r"]).read_text("utf-8").splitlines()
    raw = folder / "raw" / data.langpairs["en-de"][0]
    raw.parent.mkdir(parents=True)
    for side in data.fieldnames("en-de"):
        (folder / f"wmt17.en-de.{side}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    raw.write_text(
        "".join(
            f'<doc docid="{i}" origlang="{"en" if i % 2 else "de"}">\n<seg id="1">x</seg>\n' for i in range(len(lines))
        )
    )
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    usual = "-t wmt17 -l en-de -i {a} -f text -m bleu chrf"
    check_lines(
        [usual, f"{usual} -ol en", f"{usual} -ol non-en -b", f"{usual} --detail", "-t wmt17 -l en-de --echo ref",
         "--list", "--version", "--help"], files, tmp_path,
    )  # fmt: skip


_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "BLEU": [{}, {"smooth_method": "add-k", "smooth_value": 2.125}, {"tokenize": "char", "lowercase": True}],
    "CHRF": [{}, {"word_order": 2, "beta": 3}, {"eps_smoothing": True, "whitespace": True}],
    "TER": [{}, {"normalized": True, "no_punct": True, "case_sensitive": True}],
}


@pytest.mark.parametrize(("name", "options"), [(name, each) for name, given in _OPTIONS.items() for each in given])
def test_draws_and_numbers_are_sacrebleus(name: str, options: dict[str, Any]) -> None:
    """To the last bit; only the p-values of exchanges come from other sums."""
    references = [_REFERENCES * 5, [*reversed(_SYSTEMS["b"])] * 5]
    systems = [_SYSTEMS[each] * 5 for each in "abc"]

    def found() -> list[Any]:
        made = METRICS[name](references=references, **options)
        score = made.corpus_score(systems[0], None, n_bootstrap=50)
        numbers: list[Any] = [str(score), vars(score), str(made.get_signature())]
        for kind in ("bs", "ar"):
            named = [(str(i), system) for i, system in enumerate(systems)]
            _, results = significance.PairedTest(named, {name: made}, None, kind, 80, n_jobs=1)()
            numbers += [[vars(each) for each in results[score.name]]]
        return numbers

    expected = found()
    with counted_here():
        assert METRICS[name].__mro__[1].__name__ == "_Counted"
        mine = found()
    for counts in ("counts", "totals"):
        assert [*mine[1].pop(counts, [])] == [*expected[1].pop(counts, [])]
    assert mine == expected
    compared(len(mine))


def test_sacrebleu_is_as_it_was() -> None:
    def state() -> dict[str, Any]:
        return {**METRICS, **vars(significance)}

    before = state()
    with counted_here():
        assert state() != before
    assert state() == before
    with pytest.raises(KeyError), counted_here() as module:
        module.METRICS["ROUGE"]
    assert state() == before


def test_another_version_resamples_by_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = [getattr(significance, name) for name in ("_paired_bs_test", "_paired_ar_test", "_bootstrap_resample")]
    named, references = [(each, _SYSTEMS[each] * 5) for each in "ab"], [_REFERENCES * 5]

    def found() -> list[Any]:
        metrics = {name: METRICS[name](references=references) for name in METRICS}
        results = [significance.PairedTest(named, metrics, None, kind, 40, n_jobs=1)()[1] for kind in ("bs", "ar")]
        return [vars(each[1]) for by_metric in results for name, each in by_metric.items() if name != "System"]

    expected = found()
    monkeypatch.setattr(sacrebleu, "__version__", "9.9")
    with counted_here():
        assert "sacrebleu 9.9 resamples by itself" in capsys.readouterr().err
        assert tests == [
            getattr(significance, name) for name in ("_paired_bs_test", "_paired_ar_test", "_bootstrap_resample")
        ]
        assert found() == expected


def test_help_does_not_import_sacrebleu() -> None:
    program = "import sys, metrologue.cli; metrologue.cli.main(['--help'], standalone_mode=False); "
    subprocess.run([sys.executable, "-c", f"{program}assert 'sacrebleu' not in sys.modules"], check=True)


@pytest.mark.slow
def test_newstest2017(shared_data: Path, tmp_path: Path) -> None:
    """Real outputs of four systems."""
    folder = shared_data / "wmt17_ende"
    systems = sorted((folder / "systems").iterdir())[:4]
    files = dict(zip(("a", "b", "c", "r2"), map(str, systems), strict=True)) | {"r": str(folder / "reference.de")}
    check_lines(LINES, files | _packed(files, tmp_path), tmp_path)


# What sacrebleu's own test.sh expects of newstest2017, en-de: mteval-v13a's BLEU, and the chrF of its first program.
_EXPECTED = {
    "C-3MA.4959": (22.67, 51.9533), "FBK.4870": (26.33, 54.7152), "KIT.4950": (26.08, 55.7629),
    "LIUM-NMT.4900": (26.60, 55.9284), "LMU-nmt-reranked.4934": (27.11, 56.3908),
    "LMU-nmt-single.4893": (26.56, 55.9216), "PROMT-Rule-based.4735": (16.61, 50.3511),
    "RWTH-nmt-ensemble.4921": (26.02, 55.6116), "SYSTRAN.4847": (26.71, 55.5758), "TALP-UPC.4834": (21.24, 51.6860),
    "online-A.0": (20.80, 52.0023), "online-B.0": (26.65, 56.2633), "online-F.0": (15.45, 49.2588),
    "online-G.0": (18.16, 51.5871), "uedin-nmt.4722": (28.30, 57.7227), "xmu.4910": (26.69, 55.9642),
}  # fmt: skip


def test_what_sacrebleus_own_tests_expect(shared_data: Path, tmp_path: Path) -> None:
    """The lines of its test.sh that need no download here: system outputs of the reference's test set."""
    folder = shared_data / "wmt17_ende"
    options = ["-l", "en-de", "-b", "-w", "4", "-m", "bleu", "chrf"]
    paths = [str(folder / "systems" / f"newstest2017.{name}.en-de") for name in _EXPECTED]
    calls = [([str(folder / "reference.de"), "-i", path, *options], os.devnull) for path in paths]
    found = [json.loads(out) for _, out in answers("metrologue", calls, tmp_path)]
    for name, numbers in zip(_EXPECTED, found, strict=True):
        assert numbers == pytest.approx(_EXPECTED[name], abs=0.01), name


def test_a_carriage_return_in_a_reference(tmp_path: Path) -> None:
    """The control character test of sacrebleu's test.sh."""
    (tmp_path / "hyp").write_bytes(b"Hello! How are you doing today?\n")
    (tmp_path / "ref").write_bytes(b"Hello! How are you \r doing today?")
    call = ["-w", "2", "-b", str(tmp_path / "ref"), "-i", str(tmp_path / "hyp")]
    assert check([(call, os.devnull)], tmp_path) == [(0, b"100.00\n")]
