"""Installs the wheel under each Python that is here, with the lowest and the newest libraries, and tests it there.

``python tools/test_wheel.py`` builds the wheel, or takes the one given by ``--wheel``: a file, or a folder with one for
this machine. It makes an environment outside the checkout for each Python that pyproject.toml names, and runs
``tools/smoke.py`` in it: its numbers must equal the checkout's. ``tools/first_screen.py`` runs what README.md shows
first, as the wheel has it. The bounds are those of the wheel's own metadata. uv chooses the versions: the lowest ones
that have a wheel for a Python, so that nothing is compiled.

Then it installs a clone of the checkout in each of the ways that pip knows: its wheel, its sources, the folder itself
with and without PYTHONSAFEPATH, and editable. README's first screen must run after each, inside the clone and outside.

It prints a line for each environment and ends with the status 1 if one fails. ``--readme`` writes the versions to the
table in docs/installing.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

from metrologue.native.targets import this_machine

ROOT = Path(__file__).parents[1]
SMOKE = Path(__file__).with_name("smoke.py")
FIRST_SCREEN = Path(__file__).with_name("first_screen.py")
LIBRARIES = ("numpy", "pyarrow", "evaluate", "datasets")
# How uv resolves what pyproject.toml allows.
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
BEGIN, END = "<!-- versions -->\n", "<!-- end of versions -->\n"


class Failed(Exception):
    """A step that failed; its message is the end of what it printed."""


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """The standard output of a command, without this process's own Python path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True)
    if done.returncode:
        raise Failed((done.stdout + done.stderr).strip()[-2000:])
    return done.stdout


def versions() -> list[str]:
    """The versions of Python that pyproject.toml names, such as "3.13"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))


def python(version: str) -> Path | None:
    """The interpreter of a version: of pyenv, or on the path."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [*pyenv.glob(f"{version}.*/bin/python"), *filter(None, [shutil.which(f"python{version}")])]
    for path in map(Path, found):
        try:
            if run(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip() == version:
                return path
        except (Failed, OSError):
            continue
    return None


def requirements(wheel: Path) -> str:
    """What the wheel requires without extras, one requirement a line."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    return "".join(f"{line}\n" for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line)


def tested(wheel: Path, table: Path, interpreter: Path, resolution: str) -> tuple[dict[str, str], str]:
    """The versions of the libraries in a new environment, and what the smoke test says there."""
    with tempfile.TemporaryDirectory(prefix="metrologue-wheel-") as name:
        folder = Path(name)
        bin_folder = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        (folder / "requirements.txt").write_text(requirements(wheel), "utf-8")
        uv = (sys.executable, "-m", "uv", "--quiet")
        run(*uv, "venv", "--python", interpreter, folder / "venv")
        run(
            *uv,
            "pip",
            "install",
            "--python",
            bin_folder / "python",
            "--only-binary",
            ":all:",
            "--resolution",
            RESOLUTIONS[resolution],
            "-r",
            folder / "requirements.txt",
            wheel,
        )
        code = f"from importlib.metadata import version\nprint(*map(version, {LIBRARIES}))"
        found = dict(zip(LIBRARIES, run(bin_folder / "python", "-c", code).split(), strict=True))
        shutil.copy(SMOKE, folder)
        shutil.copy(FIRST_SCREEN, folder)
        shutil.copy(table, folder / "table.json")
        caches = {"METROLOGUE_CACHE": str(folder / "cache"), "HF_HOME": str(folder / "hf")}
        said = run(bin_folder / "python", "smoke.py", "table.json", cwd=folder, **caches)
        ran = run(bin_folder / "python", "first_screen.py", cwd=folder, **caches)
        return found, f"{said.strip()}; {ran.strip()}"


def built(folder: Path, kind: str = "wheel", origin: Path = ROOT) -> Path:
    """The wheel or the "sdist" of a checkout."""
    run(sys.executable, "-m", "build", f"--{kind}", "--outdir", folder, origin)
    [made] = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


def ways(wheel: Path) -> Iterator[bool]:
    """Install in each way, and print its line; whether README's first screen runs then, inside a clone and outside."""
    with tempfile.TemporaryDirectory(prefix="metrologue-ways-") as name:
        folder, clone = Path(name), Path(name, "clone")
        run("git", "clone", "--quiet", ROOT, clone)
        sources = built(folder, "sdist", clone)
        (folder / "requirements.txt").write_text(requirements(wheel), "utf-8")
        given = {
            "wheel": ([wheel], {}),
            "sources": ([sources], {}),
            "checkout": (["."], {}),
            "checkout, PYTHONSAFEPATH=1": (["."], {"PYTHONSAFEPATH": "1"}),
            "checkout, editable": (["--editable", "."], {}),
        }
        uv = (sys.executable, "-m", "uv", "--quiet")
        code = (
            f"import runpy; runpy.run_path({str(FIRST_SCREEN)!r}, run_name='__main__')"  # with its folder on the path
        )
        caches = {"METROLOGUE_CACHE": str(folder / "cache"), "HF_HOME": str(folder / "hf")}
        for label, (arguments, settings) in given.items():
            venv = folder / label.replace(", ", "-").replace("=", "-")
            python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
            try:
                run(*uv, "venv", "--seed", "--python", sys.executable, venv)
                run(*uv, "pip", "install", "--python", python, "-r", folder / "requirements.txt")
                run(python, "-m", "pip", "install", "--quiet", "--no-deps", *arguments, cwd=clone, **settings)
                said = [run(python, "-c", code, cwd=place, **caches).strip() for place in (clone, folder)]
            except Failed as error:
                print(f"{label}: FAILED\n{error}", flush=True)
                yield False
                continue
            print(f"{label}: inside the clone {said[0]}; outside it {said[1]}", flush=True)
            yield True


def chosen_wheel(path: Path) -> Path:
    """The wheel itself, or the one of a folder that is for this machine."""
    if path.is_file():
        return path.resolve()
    target = this_machine()
    [wheel] = path.glob(f"*-none-{target.tag if target else 'any'}.whl")
    return wheel.resolve()


def rows(wheel: Path, chosen: list[str]) -> Iterator[tuple[str, dict[str, str] | None]]:
    """Test each environment and print its line; the first cell of its row, and its versions if it passes."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "table.json")
        table.write_text(run(sys.executable, SMOKE, PYTHONPATH=str(ROOT / "src")), "utf-8")
        for version in versions():
            if (interpreter := python(version)) is None:
                print(f"Python {version}: skipped, it is not installed here", flush=True)
                continue
            for resolution in chosen:
                label = f"Python {version}, {resolution}"
                try:
                    found, said = tested(wheel, table, interpreter, resolution)
                except Failed as error:
                    print(f"{label}: FAILED\n{error}", flush=True)
                    yield label, None
                    continue
                print(f"{label}: {', '.join(f'{n} {v}' for n, v in found.items())}: {said}", flush=True)
                yield label, found


def write_table(found: dict[str, dict[str, str]]) -> None:
    """Put the versions into docs/installing.md, between its two marks."""
    lines = [f"| | {' | '.join(LIBRARIES)} |", f"| --- |{' --- |' * len(LIBRARIES)}"]
    lines += [f"| {label} | {' | '.join(each[name] for name in LIBRARIES)} |" for label, each in found.items()]
    path = ROOT / "docs" / "installing.md"
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    path.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.partition(END)[2], "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, help="a wheel, or a folder of them; default: one that is built now")
    parser.add_argument("--only", choices=RESOLUTIONS, help="default: both")
    parser.add_argument("--readme", action="store_true", help="write the versions to docs/installing.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = chosen_wheel(arguments.wheel) if arguments.wheel else built(Path(folder))
        print(wheel.name, flush=True)
        found = dict(rows(wheel, [arguments.only] if arguments.only else [*RESOLUTIONS]))
        in_each_way = [*ways(wheel)]
    passed = {label: each for label, each in found.items() if each}
    if arguments.readme and passed:
        write_table(passed)
    return 0 if passed and len(passed) == len(found) and all(in_each_way) else 1


if __name__ == "__main__":
    sys.exit(main())
