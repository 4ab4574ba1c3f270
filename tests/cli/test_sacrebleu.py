"""``metrologue sacrebleu`` prints the bytes that sacrebleu's own command prints."""

from __future__ import annotations

import io
import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from compared import compared

from metrologue.cli import main

pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")

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

# One process answers all lines. It keeps from one line to the next what takes longest: the statistics of the segments
# under a metric's options, and the edits of pairs of texts.
_ANSWER = """
import functools, json, logging, os, sys
sys.path[:] = [each for each in sys.path if each]
from sacrebleu.metrics import lib_ter, ter
from sacrebleu.metrics.base import Metric
from sacrebleu.sacrebleu import main

slow = lib_ter.translation_edit_rate
kept = functools.lru_cache(None)(lambda ours, theirs: slow([*ours], [*theirs]))
ter.translation_edit_rate = lambda ours, theirs: kept(tuple(ours), tuple(theirs))

class References:
    # The references of a metric, made when they are needed.
    def __init__(self, metric, texts):
        self.texts = [[*side] for side in texts]
        self.key = hash(tuple(map(tuple, self.texts)))
        self.metric, self.made = metric, None
        counts = {sum(each is not None for each in row) for row in zip(*self.texts)}
        metric.num_refs = counts.pop() if len(counts) == 1 else -1
    def __iter__(self):
        if self.made is None:
            self.made = read(self.metric, self.texts)
        return iter(self.made)

def statistics(metric, hypotheses, references):
    hypotheses = [*hypotheses]
    known = References(metric, references) if references else metric._ref_cache
    plain = (str, int, float, bool, type(None))
    options = [(name, value) for name, value in vars(metric).items() if isinstance(value, plain)]
    tokenizer = getattr(metric, "tokenizer", None)
    key = type(metric), tuple(options), tokenizer and tokenizer.signature(), hash(tuple(hypotheses)), known.key
    if key not in found:
        found[key] = compute(metric, hypotheses, references)
    return found[key]

found, read, compute = {}, Metric._cache_references, Metric._extract_corpus_statistics
Metric._extract_corpus_statistics = statistics
Metric._cache_references = lambda metric, texts: References(metric, texts)

answers, calls = os.dup(1), json.load(sys.stdin)
own = sys.stdin, sys.stdout, os.dup(0), os.dup(1)
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


def theirs(calls: Sequence[tuple[list[str], Path]], folder: Path) -> list[tuple[int, bytes]]:
    """The exit status and the output of sacrebleu's command for each call."""
    outs = [folder / f"their-{i}" for i in range(len(calls))]
    given = [(arguments, str(path), str(out)) for (arguments, path), out in zip(calls, outs, strict=True)]
    ran = subprocess.run(
        [sys.executable, "-c", _ANSWER], input=json.dumps(given), capture_output=True, text=True, check=True,
        env={**os.environ, "NO_COLOR": "1"}, cwd=folder,
    )  # fmt: skip
    return [(int(status), out.read_bytes()) for status, out in zip(ran.stdout.split(), outs, strict=True)]


def ours(arguments: Sequence[str], given: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["sacrebleu", *arguments], input=given)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Five times the texts above, with a line that differs each time."""
    import gzip

    def write(name: str, lines: Sequence[str]) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line} {i % 7}\n" for i, line in enumerate([*lines] * 5)), "utf-8")
        return str(path)

    found = {name: write(f"{name}.txt", lines) for name, lines in _SYSTEMS.items()}
    found["r"], found["r2"] = write("r.txt", _REFERENCES), write("r2.txt", [*reversed(_SYSTEMS["b"])])
    pairs = zip(
        Path(found["r"]).read_text("utf-8").splitlines(), Path(found["r2"]).read_text().splitlines(), strict=True
    )
    (tmp_path / "tabs.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), "utf-8")
    (tmp_path / "a.gz").write_bytes(gzip.compress(Path(found["a"]).read_bytes()))
    return found | {"tabs": str(tmp_path / "tabs.txt"), "gz": str(tmp_path / "a.gz")}


def check(lines: Sequence[str], files: dict[str, str], folder: Path) -> None:
    calls = [shlex.split(line.format(**files)) for line in lines]
    expected = theirs([(call, Path(os.devnull)) for call in calls], folder)
    for line, call, (status, out) in zip(lines, calls, expected, strict=True):
        found = ours(call)
        assert (found.exit_code, found.stdout_bytes) == (status, out), line
        assert found.stderr.startswith("metrologue 0."), line
        assert out, line
    compared(len(lines))


def test_at_least_sixty_lines_of_arguments(files: dict[str, str], tmp_path: Path) -> None:
    assert len(LINES) >= 60
    check(LINES, files, tmp_path)


@pytest.mark.parametrize("seed", ["7", "0", "NONE"])
def test_seeds(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    lines = ["{r} -i {a} -ci -cin 40 -w 4", "{r} -i {a} {b} -pbs -pbsn 40 -f text", "{r} -i {a} {b} -par -parn 40"]
    if seed == "7":
        check(lines, files, tmp_path)
        return
    for line in lines:  # each run has draws of its own, but for the intervals of the seed 0
        call = shlex.split(line.format(**files))
        [(status, out)] = theirs([(call, Path(os.devnull))], tmp_path)
        found = ours(call)
        assert found.exit_code == status == 0
        if seed == "0" and "-ci" in call:
            assert found.stdout_bytes == out
        if "-par" not in call:
            assert f"seed:{seed.lower()}|" in found.stdout
            assert f"seed:{seed.lower()}|" in out.decode()


def test_format_from_the_environment(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_FORMAT", "TEXT")
    check(["{r} -i {a}", "{r} -i {a} {b} -f latex"], files, tmp_path)


def test_standard_input(files: dict[str, str], tmp_path: Path) -> None:
    calls = []
    for number, (line, names) in enumerate(PIPED.items()):
        rows = zip(*(Path(files[name]).read_text("utf-8").split("\n") for name in names), strict=True)
        given = tmp_path / f"piped-{number}"
        text = "\n".join("\t".join(f" {' '.join(field.split())}" for field in row) for row in rows)
        given.write_text(text.strip("\n") + "\r\n", "utf-8")
        calls.append((shlex.split(line.format(**files)), given))
    for (call, given), (status, out) in zip(calls, theirs(calls, tmp_path), strict=True):
        found = ours(call, given.read_bytes())
        assert (found.exit_code, found.stdout_bytes) == (status, out), call
    compared(len(calls))


def test_where_sacrebleu_fails_the_table_is_printed(files: dict[str, str], tmp_path: Path) -> None:
    """Its JSON of a paired bootstrap test cannot hold the single-precision numbers of chrF and TER."""
    call = shlex.split("{r} -i {a} {b} -m bleu chrf ter -pbs -pbsn 40".format(**files))
    as_text = shlex.split("{r} -i {a} {b} -m bleu chrf ter -pbs -pbsn 40 -f text -w 3".format(**files))
    [(status, _), (_, table)] = theirs([(call, Path(os.devnull)), (as_text, Path(os.devnull))], tmp_path)
    assert status == 1
    found = ours(call)
    assert found.exit_code == 0
    for row in json.loads(found.stdout):
        for name in ("BLEU", "chrF2", "TER"):
            assert f"{row[name]['score']:.3f} ({row[name]['mean']:.3f} ± {row[name]['ci']:.3f})" in table.decode()


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("{r} -i {a} -sl -m bleu chrf", 1, "--sentence-level takes one metric"),
        ("{r} {r2} -nr 2 -i {a}", 1, "--num-refs is for one file"),
        ("-i {a}", 1, "there are no references"),
        ("{r} -t wmt17 -l en-de -i {a}", 1, "give one of the two"),
        ("-t wmt17 -i {a}", 1, "a test set needs a pair of languages"),
        ("-t wmt17 -l en-xx -i {a}", 1, "en-xx cannot be scored: wmt17 has"),
        ("-t nothing -l en-de -i {a}", 1, "there is no test set 'nothing'"),
        ("{r} -i {a} {b} -sl", 1, "--sentence-level takes one system"),
        ("{r} -i {a} -sl -ci", 1, "has no intervals and no tests"),
        ("{r} -i {a} -pbs", 1, "needs two systems"),
        ("{r} -i {a} {b} -ci", 1, "--confidence takes one system"),
        ("{r} -i {a} {a}", 1, "is given twice"),
        ("{r} -i {short}", 1, "has 1 lines and reference 1 has 30"),
        ("{tabs} -nr 3 -i {a}", 17, "tabs.txt:1: 2 fields; 3 are expected"),
        ("{r} -i {a} -m rouge", 2, "invalid choice: 'rouge'"),
        ("{r} -i {a} -par -pbs", 2, "not allowed with"),
        ("{r} -i {a} --origlang en", 1, "choose from a test set"),
    ],
)
def test_wrong_calls(files: dict[str, str], tmp_path: Path, line: str, status: int, message: str) -> None:
    (tmp_path / "short.txt").write_text("one line\n")
    found = ours(shlex.split(line.format(**files, short=tmp_path / "short.txt")))
    assert found.exit_code == status
    assert message in found.stderr
    assert not found.stdout


def test_wrong_bytes_are_named(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"good\n\xff\n")
    found = ours(shlex.split("{r} -i {bad}".format(**files, bad=tmp_path / "bad.txt")))
    assert found.exit_code == 2
    assert "bad.txt: near line" in found.stderr
    assert "the file is not utf-8" in found.stderr
    latin = tmp_path / "latin.txt"
    latin.write_text("Grüße\n", "latin-1")
    found = ours([str(latin), "-i", str(latin), "-e", "latin-1", "-b", "-m", "chrf"])
    assert found.stdout == "100.0\n"
    assert "no encoding 'utf-99'" in ours([str(latin), "-i", str(latin), "-e", "utf-99"]).stderr


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
    from sacrebleu.dataset import DATASETS

    folder = tmp_path / "sets" / "wmt17"
    (folder / "raw").mkdir(parents=True)
    lines = Path(files["r"]).read_text("utf-8").splitlines()
    for side in DATASETS["wmt17"].fieldnames("en-de"):
        (folder / f"wmt17.en-de.{side}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    documents = (
        f'<doc docid="{i}" origlang="{"en" if i % 2 else "de"}">\n<seg id="1">x</seg>\n' for i in range(len(lines))
    )
    raw = folder / "raw" / DATASETS["wmt17"].langpairs["en-de"][0]
    raw.parent.mkdir(parents=True)
    raw.write_text("".join(documents))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    usual = "-t wmt17 -l en-de -i {a} -f text -m bleu chrf"
    calls = [
        shlex.split(line.format(**files))
        for line in (
            usual,
            f"{usual} -ol en",
            f"{usual} -ol non-en -b",
            f"{usual} --detail",
            "-t wmt17 -l en-de --echo ref",
        )
    ]
    for call, (status, out) in zip(calls, theirs([(call, Path(os.devnull)) for call in calls], tmp_path), strict=True):
        found = subprocess.run([sys.executable, "-m", "metrologue", "sacrebleu", *call], capture_output=True)
        assert (found.returncode, found.stdout) == (status, out), call
        assert out, (call, found)


def test_what_only_sacrebleu_has() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "metrologue", "sacrebleu", "--list"], capture_output=True, text=True, check=True
    )
    assert "wmt17" in found.stdout
    assert ours(["--version"]).stdout.startswith("sacrebleu 2.")
    assert "paired bootstrap" in ours(["--help"]).stdout


@pytest.mark.slow
def test_newstest2017(shared_data: Path, tmp_path: Path) -> None:
    """Real outputs of four systems."""
    import gzip

    folder = shared_data / "wmt17_ende"
    systems = sorted((folder / "systems").iterdir())[:4]
    files = dict(zip(("a", "b", "c", "r2"), map(str, systems), strict=True)) | {"r": str(folder / "reference.de")}
    pairs = zip(*(Path(files[name]).read_text("utf-8").split("\n")[:-1] for name in ("r", "r2")), strict=True)
    (tmp_path / "tabs.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), "utf-8")
    (tmp_path / "a.gz").write_bytes(gzip.compress(systems[0].read_bytes()))
    check(LINES, files | {"tabs": str(tmp_path / "tabs.txt"), "gz": str(tmp_path / "a.gz")}, tmp_path)


# What sacrebleu's own test.sh expects of newstest2017, en-de: mteval-v13a's BLEU, and the chrF of its first program.
_EXPECTED = {
    "C-3MA.4959": (22.67, 51.9533), "FBK.4870": (26.33, 54.7152), "KIT.4950": (26.08, 55.7629),
    "LIUM-NMT.4900": (26.60, 55.9284), "LMU-nmt-reranked.4934": (27.11, 56.3908),
    "LMU-nmt-single.4893": (26.56, 55.9216), "PROMT-Rule-based.4735": (16.61, 50.3511),
    "RWTH-nmt-ensemble.4921": (26.02, 55.6116), "SYSTRAN.4847": (26.71, 55.5758), "TALP-UPC.4834": (21.24, 51.6860),
    "online-A.0": (20.80, 52.0023), "online-B.0": (26.65, 56.2633), "online-F.0": (15.45, 49.2588),
    "online-G.0": (18.16, 51.5871), "uedin-nmt.4722": (28.30, 57.7227), "xmu.4910": (26.69, 55.9642),
}  # fmt: skip


def test_what_sacrebleus_own_tests_expect(shared_data: Path) -> None:
    """The lines of its test.sh that need no download here: system outputs of the reference's test set."""
    folder = shared_data / "wmt17_ende"
    for name, (bleu, chrf) in _EXPECTED.items():
        call = [str(folder / "reference.de"), "-i", str(folder / "systems" / f"newstest2017.{name}.en-de")]
        found = ours([*call, "-l", "en-de", "-b", "-w", "4", "-m", "bleu", "chrf"]).stdout
        assert json.loads(found) == [pytest.approx(bleu, abs=0.01), pytest.approx(chrf, abs=0.01)], name


def test_a_carriage_return_in_a_reference(tmp_path: Path) -> None:
    """The control character test of sacrebleu's test.sh."""
    (tmp_path / "hyp").write_bytes(b"Hello! How are you doing today?\n")
    (tmp_path / "ref").write_bytes(b"Hello! How are you \r doing today?")
    call = ["-w", "2", "-b", str(tmp_path / "ref"), "-i", str(tmp_path / "hyp")]
    [(status, out)] = theirs([(call, Path(os.devnull))], tmp_path)
    assert (status, ours(call).stdout_bytes) == (0, out)
    assert out == b"100.00\n"
