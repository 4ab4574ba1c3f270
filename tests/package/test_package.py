"""The package: what is in it however it is installed, and what importing it costs."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from metrologue.native.targets import this_machine


def python(code: str, **options) -> str:
    """Run code in a process of its own, away from the checkout; its standard output."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, **options)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def made() -> set[str]:
    """What a build makes: the library of kernels, where this machine has one, and a table."""
    target = this_machine()
    return {"metrologue/text/tokenizers/ptb/ptb.arrow", *([f"metrologue/native/{target.file}"] if target else [])}


@pytest.fixture(scope="module")
def sources(root, made) -> set[str]:
    """Every file of the package, through the links to metrics and comparison."""
    found = {
        str((Path(folder) / file).relative_to(root / "src"))
        for folder, _, files in os.walk(root / "src" / "metrologue", followlinks=True)
        for file in files
        if "__pycache__" not in folder
    }
    return found - made


@pytest.fixture(scope="module")
def distributions(root, tmp_path_factory) -> Path:
    """A folder with the sdist, and the wheel that was built from it.

    It has the library of kernels that `make test` has built. A build takes it if it was made of the same sources.
    """
    folder = tmp_path_factory.mktemp("dist")

    def build(kind: str, origin: Path) -> None:
        command = [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", folder, origin]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    build("--sdist", root)
    [path] = folder.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(folder / "sources", filter="data")
    [sources] = (folder / "sources").iterdir()
    target = this_machine()
    if target and (library := root / "src" / "metrologue" / "native" / target.file).exists():
        shutil.copy(library, sources / "src" / "metrologue" / "native")
    build("--wheel", sources)
    return folder


def test_links_are_relative(root):
    if (root / "PKG-INFO").exists():
        pytest.skip("this is a source distribution, which has folders in place of the links")
    for name in ("metrics", "comparison"):
        assert os.readlink(root / "src" / "metrologue" / name) == f"../../{name}"


def run(*command, cwd, status=0) -> str:
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(cwd / "src")}
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_a_checkout_without_links_says_what_to_do(root, tmp_path):
    """As Git for Windows makes it: a link becomes a file. The commands of the message make the links."""
    if not shutil.which("git"):
        pytest.skip("no git")
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    package = Path("src", "metrologue")
    (origin / package / "scorers").mkdir(parents=True)
    for name in ("__init__.py", "__init__.pyi", "deferred.py", "errors.py", "version.py", "scorers/__init__.pyi"):
        shutil.copy(root / package / name, origin / package / name)
    for name in ("metrics", "comparison"):
        (origin / name).mkdir()
        (origin / name / "file").touch()
        os.symlink(f"../../{name}", origin / package / name)
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    run("git", "init", "--quiet", cwd=origin)
    run("git", "add", ".", cwd=origin)
    run("git", *author, "commit", "--quiet", "--message", "a", cwd=origin)
    run("git", "clone", "--quiet", "-c", "core.symlinks=false", origin, clone, cwd=tmp_path)
    assert (clone / package / "metrics").read_text() == "../../metrics"

    said = run(sys.executable, "-c", "import metrologue", cwd=clone, status=1).splitlines()[-1]
    assert said.startswith("ImportError: metrologue: ")
    assert len(said) < 600
    cure = [command for command in re.findall("`(.*?)`", said) if command.startswith("git ")]
    assert len(cure) == 2
    for command in cure:
        run(*command.split(), cwd=clone)
    run(sys.executable, "-c", "import metrologue", cwd=clone)


def test_sdist_has_every_file(root, distributions, sources, made):
    [path] = distributions.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    assert not [member.name for member in members if member.issym() or member.islnk()]
    names = {member.name.partition("/")[2] for member in members}
    packed = {name.removeprefix("src/") for name in names}
    assert sources <= packed
    assert not made & packed
    assert {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "Makefile",
        "SECURITY.md",
        "mkdocs.yml",
    } <= names
    # The tests read these folders, and `make` targets run them.
    for folder in ("benchmarks", "comparison", "docs", "examples", "metrics", "research", "studies", "tests", "tools"):
        files = {path for path in (root / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"}
        assert files
        assert {str(path.relative_to(root)) for path in files} <= names


def test_wheel_has_every_file_and_no_other(distributions, sources, made):
    [path] = distributions.glob("*.whl")
    target = this_machine()
    assert path.stem.endswith(f"-py3-none-{target.tag if target else 'any'}")
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == sources | made


def test_wheel_works(distributions, tmp_path):
    [path] = distributions.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    code = (
        "import metrologue, metrologue.comparison.documents as documents\n"
        "print(metrologue.__file__, metrologue.module_path('bleu'), documents.__file__, sep='\\n')\n"
        "assert documents.load_cases()"
    )
    paths = python(code, env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path).splitlines()
    assert all(Path(found).is_relative_to(tmp_path) for found in paths)


@pytest.mark.slow
def test_wheel_gives_the_numbers_of_the_checkout(root, distributions, tmp_path):
    """The short form of ``make test-wheel``: this Python, with the libraries that are here."""
    [path] = distributions.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "wheel")
    shutil.copy(root / "tools" / "smoke.py", tmp_path)
    table = tmp_path / "table.json"
    for folder, given in ((root / "src", ()), (tmp_path / "wheel", (table,))):
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        command = [sys.executable, "smoke.py", *given]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:]
        if not given:
            table.write_text(done.stdout, "utf-8")
    assert re.match(r"\d{4,} numbers equal", done.stdout)


def test_installed_package_has_metrics_and_comparison(tmp_path):
    code = (
        "from importlib.resources import files\n"
        "import metrologue.comparison.harness\n"
        "print((files('metrologue') / 'metrics' / 'bleu' / 'bleu.py').is_file(), metrologue.comparison.__name__)"
    )
    assert python(code, cwd=tmp_path) == "True metrologue.comparison"


def test_import_is_light(tmp_path):
    code = "import sys, metrologue\nprint(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = set(python(code, cwd=tmp_path).split())
    assert not loaded & {"datasets", "evaluate", "gradio", "matplotlib", "numba", "pandas", "scipy", "torch"}


def test_scoring_needs_the_core_only(tmp_path):
    code = (
        "import sys\nfrom metrologue.scorers import Bleu\nBleu().corpus(['a b c d'], ['a b c d'])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    assert not set(python(code, cwd=tmp_path).split()) & {"datasets", "evaluate", "nltk", "sacrebleu", "torch"}


@pytest.mark.parametrize(("metric", "variant"), [("bleu", "sacrebleu"), ("bleu", "coco"), ("token_f1", "squad")])
def test_scoring_plain_text_files_imports_nothing_slow(metric, variant, tmp_path):
    """Arrow would import pandas where it is installed, which takes longer than the rest of the program."""
    pytest.importorskip("pandas")
    for name in ("hypothesis", "reference"):
        (tmp_path / name).write_text("a cat sat there\nthe dog\n", "utf-8")
    code = (
        "import sys\nfrom pathlib import Path\nfrom metrologue.files.parts import read_segments\n"
        "from metrologue.scorers import get_scorer\n"
        "(predictions,), references = read_segments([Path('hypothesis')], [Path('reference')])\n"
        f"get_scorer({metric!r}).variant({variant!r}).corpus(predictions, references)\n"
        "print('pandas' in sys.modules, 'pyarrow.compute' in sys.modules)"
    )
    assert python(code, cwd=tmp_path) == "False False"


def test_import_is_fast(tmp_path):
    """Beside NumPy and Arrow in the same run, so that a slow machine is slow for both."""

    measured = "from time import process_time\nbefore = process_time()\nimport {}\nprint(process_time() - before)"

    def quick() -> bool:
        ours, theirs = (float(python(measured.format(each), cwd=tmp_path)) for each in ("metrologue", "numpy, pyarrow"))
        return ours < 2 * theirs

    assert any(quick() for _ in range(3))


def test_version_is_one(root):
    import metrologue

    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    citation = (root / "CITATION.cff").read_text("utf-8")
    assert f"## [{metrologue.__version__}]" in changelog
    assert f"version: {metrologue.__version__}\n" in citation


def test_an_editable_install_is_a_path_that_type_checkers_follow(root, tmp_path):
    code = (
        "import sys\nsys.path.insert(0, 'tools')\nfrom build_backend import build_editable\n"
        "print(build_editable(sys.argv[1], {}))"  # the last line
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / done.stdout.splitlines()[-1]) as archive:
        paths = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".pth")]
    assert [Path(path.strip()).resolve() for path in paths] == [(root / "src").resolve()]


def test_the_core_is_what_load_needs(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    core = {Requirement(line).name for line in project["dependencies"]}
    assert {"click", "datasets", "evaluate", "numpy", "pyarrow", "rich"} <= core
    assert core.isdisjoint({"gradio", "llvmlite", "nltk", "numba", "torch"})
