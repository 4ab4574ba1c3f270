"""Loading: from wherever the module is named, without a network, anew when it was edited; and what load refuses."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from bridge.conftest import METRICS, NAMES, metric_of
from layouts import SAMPLES, Columns, columns_of, rows_of, sample_of
from needs import WITH_ENCODER, WITH_FRAMES, WITH_PARSER
from other_values import written_of

import metrologue
from metrologue import InputError
from metrologue.scorers import Scorer, get_scorer

SCRIPT = """
import json, os, socket, sys

def refuse(*arguments, **options):
    raise OSError("this test has no network")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
folder, name, rows = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
import evaluate

os.chdir(os.path.dirname(folder))
paths = [folder, os.path.join(folder, name + ".py"), name, "./" + name, name + "/", f"{name}/{name}.py"]
results = [evaluate.load(path).compute(**rows) for path in paths * 2]
print(json.dumps(results))
"""


def in_new_process(folder: Path, environment: dict[str, str], rows: Columns) -> list[dict[str, Any]]:
    """Results of the folder loaded by every path that can name it, twice, where no socket opens."""
    arguments = [str(folder), folder.name, json.dumps(rows)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=folder.parent.parent,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)
    return results


@pytest.mark.bridge
def test_every_path_without_network_and_an_edited_module(
    folder: Path,
    module: Any,
    environment: dict[str, str],
    tmp_path: Path,
    rows: Columns,
) -> None:
    data = rows_of(rows, 0, 2)
    expected = module.compute(**data)
    copy = tmp_path / "edited" / folder.name
    shutil.copytree(folder, copy)
    # The first process has a new modules cache, the second one finds it used.
    assert all(result == expected for result in in_new_process(copy, environment, data))

    with (copy / f"{folder.name}.py").open("a", encoding="utf-8") as source:
        source.write(f"\n{type(module).__name__}._compute = lambda self, **columns: {{'edited': 1}}\n")
    assert all(result == {"edited": 1} for result in in_new_process(copy, environment, data))


def test_main_class_is_the_module(module: Any, folder: Path) -> None:
    assert type(module).__name__.lower() == folder.name.replace("_", "")
    assert type(module).__module__.startswith("evaluate_modules.")
    # `evaluate` makes the name of the class: the Hub's ChrF is "chr_f" too.
    assert module.name.replace("_", "") == folder.name.replace("_", "")
    assert module.module_type == "metric"


def test_caches_are_those_of_this_process() -> None:
    """So they are set before `evaluate` is imported, and no two processes of the tests share a folder."""
    for name in ("HF_METRICS_CACHE", "HF_MODULES_CACHE"):
        cache = Path(getattr(evaluate.config, name))
        assert cache == Path(os.environ[name])
        assert cache.is_relative_to(tempfile.gettempdir())


def test_package_names_every_folder(folder: Path) -> None:
    assert folder.name in metrologue.list_metrics()
    assert Path(metrologue.module_path(folder.name)).resolve() == folder
    assert type(metrologue.load(folder.name)).__name__.lower() == folder.name.replace("_", "")


# A variant with a model has its tests in tests/metrics.
WITH_MODEL = {*WITH_ENCODER, *WITH_FRAMES, *WITH_PARSER, "yisi"}


@pytest.mark.parametrize(
    "folder", [name for name in NAMES if metric_of(METRICS / name) not in WITH_MODEL], indirect=True
)
def test_config_name_picks_the_variant(
    load: Callable[..., Any], predictions: list[str], references: list[list[str]]
) -> None:
    default = load()
    scorer = get_scorer(default.metric)
    # Not the longest, because some take its square; and references with a word of ASCII: ROUGE-1.5.5 refuses others.
    texts, own = sample_of(default.metric, predictions[:2], references[:2])
    if default.metric == "huse":  # two texts have no neighbours
        texts, own = SAMPLES["huse"]
    data = columns_of(default.metric, texts, own)
    assert default.config_name in scorer.variants()
    for name in scorer.variants():
        result = load(name).compute(**data, signature=True)
        own = written_of(scorer, "OF_MODULE", {})  # how the module gives its scorer what a column cannot hold
        assert Scorer.from_signature(result["signature"]) == scorer.variant(name, **own)
        # A confusion matrix shows the accuracy.
        values = [np.trace(each) / np.sum(each) if np.ndim(each) == 2 else each for each in result.values()]
        assert scorer.variant(name).corpus(**data).value in values


def test_unknown_variant_is_refused_with_the_known_ones(load: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match="no variant is called 'xyz'; there are ") as caught:
        load("xyz")
    assert all(name in str(caught.value) for name in get_scorer(load().metric).variants())


def test_unknown_option_is_refused_with_the_known_ones(load: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"unknown argument 'dialect'; there are .*keep_in_memory.*num_process"):
        load(dialect="cs")


def test_wrong_module_type_is_refused(load: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="module type 'comparison'"):
        load(module_type="comparison")


def test_description_goes_into_the_documentation(module: Any) -> None:
    assert module.description.strip()
    assert module.inputs_description in module.compute.__doc__
    assert isinstance(module, evaluate.Metric)


@pytest.mark.bridge
@pytest.mark.parametrize("seed", [2**32, 2**33, -1, 1.5, "1", True, [1]])
def test_a_seed_out_of_range_is_refused(load: Callable[..., Any], seed: Any) -> None:
    with pytest.raises(InputError, match=r"^seed: .* is not an int from 0 to 4294967295"):
        load(seed=seed)
