"""Our modules by their bare names: what `evaluate` loads without a network, from a cache that others use, too."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest
from click.testing import CliRunner, Result
from evaluate.loading import CachedEvaluationModuleFactory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import metrologue
from metrologue import bare_names
from metrologue.bare_names import BareName, install, installed, modules_cache
from metrologue.bridge.strict_module import StrictModule
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.modules import all_names, module_path

TYPES = ("metric", "comparison", "measurement")
FOREIGN = """
import datasets, evaluate
class Foreign(evaluate.Metric):
    def _info(self):
        column = datasets.Value("string")
        return evaluate.MetricInfo(description="", citation="", features=datasets.Features(
            {"predictions": column, "references": column}))
    def _compute(self, predictions, references):
        return {"foreign": 1}
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of modules of `evaluate`: an empty one."""
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    return tmp_path / "modules"


def put(cache: Path, name: str, text: str = FOREIGN, mark: str = "f", time: float = 1e9, kind: str = "metric") -> Path:
    """Another module of a name in the cache."""
    file = cache / "evaluate_modules" / "metrics" / f"evaluate-{kind}--{name}" / (mark * 64) / f"{name}.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    os.utime(file, (time, time))
    return file


def loaded(name: str) -> BareName:
    [found] = bare_names.bare_names([name])
    return found


def files(folder: Path) -> dict[Path, int]:
    """All files, with the times of their last changes."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def script(text: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A program that does not know metrologue, without a network."""
    offline = environment | {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", text]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=offline, timeout=600)


AS_SCRIPTS_DO = """
import json, evaluate
one = [["the cat sat on the mat"], ["hello there general"]]
texts = {"predictions": ["the cat sat on a mat", "hello there"], "references": one}
out = {"sacrebleu": evaluate.load("sacrebleu", cache_dir="a folder").compute(**texts)["score"]}
rouge = evaluate.load("rouge", cache_dir=None)
out["rouge"] = rouge.compute(predictions=texts["predictions"], references=[own[0] for own in one], use_stemmer=True)
f1 = evaluate.load("f1", module_type="metric", experiment_id="one")
f1.add_batch(predictions=[1, 0], references=[1, 1])
out["f1"] = f1.compute(average="macro")
out["mcnemar"] = evaluate.load("mcnemar", module_type="comparison").compute(
    predictions1=[1, 0], predictions2=[1, 1], references=[1, 1])["stat"]
out["word_count"] = evaluate.load("word_count", module_type="measurement").compute(data=["a word here"])
out["rouge_we"] = type(evaluate.load("rouge_we")).__module__
print(json.dumps(out))
"""


def test_a_script_that_does_not_know_us(environment: dict[str, str], tmp_path: Path) -> None:
    before = script("import evaluate; evaluate.load('sacrebleu')", environment, tmp_path)
    assert "FileNotFoundError" in before.stderr
    installing = [sys.executable, "-W", "ignore", "-m", "metrologue", "install"]
    told = subprocess.run(installing, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=600)
    assert told.returncode == 0, told.stderr
    done = script(AS_SCRIPTS_DO, environment, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    predictions, references = ["the cat sat on a mat", "hello there"], ["the cat sat on the mat", "hello there general"]
    assert found["sacrebleu"] == metrologue.score("bleu", predictions, references).value
    rouge = metrologue.load("rouge").compute(predictions=predictions, references=references, use_stemmer=True)
    assert found["rouge"] == rouge
    assert found["f1"] == metrologue.load("f1").compute(predictions=[1, 0], references=[1, 1], average="macro")
    assert found["mcnemar"] == 1.0
    assert found["word_count"] == {"total_word_count": 2, "unique_words": 2}
    assert found["rouge_we"] == "metrologue.metrics.rouge_we.rouge_we"


# With transformers 5, the evaluators of `evaluate` 0.4.6 take models, but no other pipelines: they name a class that is
# gone.
AS_EVALUATORS_DO = """
import evaluate, json, torch
from datasets import Dataset
from evaluate.evaluation_suite import SubTask
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast
words = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "good", "bad", "one"])}
cut = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
cut.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=cut, pad_token="[PAD]", unk_token="[UNK]")
torch.manual_seed(0)
sizes = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, num_labels=2)
model = BertForSequenceClassification(BertConfig(vocab_size=8, **sizes)).eval()
data = Dataset.from_dict({"text": ["good one", "bad", "good"], "label": [0, 1, 1]})
given = {"label_mapping": {"LABEL_0": 0, "LABEL_1": 1}, "tokenizer": tokenizer}
asked = evaluate.evaluator("text-classification")
both = asked.compute(model, data, metric=evaluate.combine(["accuracy", "f1"]), **given)
drawn = asked.compute(model, data, metric="f1", strategy="bootstrap", n_resamples=20, random_state=1, **given)
class Suite(evaluate.EvaluationSuite):
    def __init__(self, name):
        super().__init__(name)
        columns = {"input_column": "text", "label_column": "label", "metric": "accuracy", **given}
        self.suite = [SubTask(task_type="text-classification", data=data, args_for_task=columns)]
(suite,) = Suite("own").run(model)
said = asked.prepare_pipeline(model, tokenizer=tokenizer)(list(data["text"]))
print(json.dumps({"both": [both["accuracy"], both["f1"]], "drawn": drawn["f1"]["score"], "suite": suite["accuracy"],
    "said": [int(each["label"][-1]) for each in said]}))
"""


@pytest.mark.slow
def test_evaluators_and_suites_take_our_modules(environment: dict[str, str], tmp_path: Path) -> None:
    for module in ("torch", "transformers"):
        pytest.importorskip(module)
    environment = environment | {"PYTHONPATH": environment["PYTHONPATH"].split(os.pathsep)[-1]}  # with transformers
    installing = [sys.executable, "-W", "ignore", "-m", "metrologue", "install", "accuracy", "f1"]
    assert subprocess.run(installing, capture_output=True, env=environment, cwd=tmp_path, timeout=600).returncode == 0
    done = script(AS_EVALUATORS_DO, environment, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    labels = {"predictions": found["said"], "references": [0, 1, 1]}
    accuracy, f1 = metrologue.load("accuracy").compute(**labels), metrologue.load("f1").compute(**labels)
    assert found["both"] == [accuracy["accuracy"], f1["f1"]]
    assert found["drawn"] == f1["f1"]
    assert found["suite"] == accuracy["accuracy"]


def test_what_is_installed_gives_the_class_of_each_module(cache: Path) -> None:
    assert [each.name for each in install()] == all_names() == installed()
    for name in all_names():
        found = loaded(name)
        assert found.is_ours
        spec = importlib.util.spec_from_file_location(name, str(found.path))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        classes = [each for each in vars(module).values() if isinstance(each, type)]
        assert classes == [module.Module]
        assert issubclass(module.Module, (StrictModule, evaluate.EvaluationModule))
        assert module.Module.__module__ == f"metrologue.metrics.{name}.{name}"
        assert Path(sys.modules[module.Module.__module__].__file__ or "").parent == Path(module_path(name))


@pytest.mark.slow
def test_every_module_loads_by_its_bare_name(environment: dict[str, str], tmp_path: Path) -> None:
    text = """
import pickle, evaluate
from metrologue.bare_names import install
for name in [each.name for each in install()]:
    config = {"glue": "mrpc", "indic_glue": "copa", "super_glue": "copa", "xtreme_s": "mls"}.get(name)
    module = evaluate.load(name, config)
    assert type(pickle.loads(pickle.dumps(module))) is type(module)
    print(name)
"""
    done = script(text, environment, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == all_names()


hashes = st.dictionaries(
    st.tuples(st.sampled_from(TYPES), st.sampled_from("abc")), st.tuples(st.integers(1, 3), st.booleans()), max_size=4
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(files=hashes, ours=st.booleans())
def test_what_is_loaded_is_what_evaluate_would_load(
    files: dict[tuple[str, str], tuple[int, bool]], ours: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also of equal times, and where a folder has lost its file."""
    cache = tmp_path_factory.mktemp("modules")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", cache)
        for (kind, mark), (time, whole) in files.items():
            file = put(cache, "rouge", mark=mark, time=time, kind=kind)
            if not whole:
                file.unlink()
        if ours:
            install(["rouge"], replace=True)
        found = loaded("rouge")
        expected = None
        for kind in TYPES:
            try:
                where = f"evaluate-{kind}--rouge"
                expected = (
                    where,
                    CachedEvaluationModuleFactory(where, dynamic_modules_path=cache / "evaluate_modules")
                    .get_module()
                    .hash,
                )
                break
            except OSError:
                continue
    assert expected == (found.path and (found.path.parents[1].name, found.path.parent.name))


def test_another_module_of_the_name_stays(cache: Path) -> None:
    theirs = put(cache, "character")
    before = files(cache)
    assert install(["character"]) == [BareName("character", theirs, False)]
    assert files(cache) == before
    [ours] = install(["character"], replace=True)
    assert ours.is_ours
    assert install(["character"]) == [ours]
    assert install(["character"], remove=True) == [BareName("character", theirs, False)]
    assert {path.name for path in {*files(cache)} - {*before}} == {"__init__.py"}


def test_ours_comes_first_also_before_a_file_from_the_future(cache: Path) -> None:
    theirs = put(cache, "word_count", time=4e9, kind="metric")
    [ours] = install(["word_count"], replace=True)
    assert ours.is_ours
    later = put(cache, "word_count", mark="e", time=4.1e9, kind="metric")
    assert loaded("word_count") == BareName("word_count", later, False)
    assert install(["word_count"], replace=True) == [ours]
    install(["word_count"], remove=True)
    assert loaded("word_count").path == later
    assert theirs.exists()


def test_a_name_is_in_the_folder_of_its_type(cache: Path) -> None:
    found = {each.name: each.path for each in install(["rouge", "mcnemar", "word_count"])}
    parents = [str(path.parents[1].name) for path in found.values() if path]
    assert parents == ["evaluate-metric--rouge", "evaluate-comparison--mcnemar", "evaluate-measurement--word_count"]


def test_a_folder_without_its_file_is_passed_by(cache: Path) -> None:
    put(cache, "rouge").unlink()
    [found] = install(["rouge"])
    assert found.is_ours


def test_removing_leaves_nothing_of_ours_and_all_that_is_not(cache: Path) -> None:
    mine = put(cache, "mine", "x = 1\n", mark="m")
    before = {*files(cache)}
    install()
    assert loaded("bleu").is_ours
    removed = install(remove=True)
    assert [each.name for each in removed] == all_names()
    assert not any(each.path for each in removed)
    assert mine.exists()
    made = {*files(cache)} - before
    assert {path.name for path in made} == {"__init__.py"}
    assert installed() == []


def test_a_second_call_writes_nothing(cache: Path) -> None:
    """So it may be a cache that belongs to somebody else."""
    install(["rouge", "bleu"])
    before = files(cache)
    install(["rouge", "bleu"])
    install(["rouge"], replace=True)
    assert files(cache) == before


def test_processes_may_install_and_look_at_once(cache: Path) -> None:
    def work(number: int) -> Iterator[bool]:
        for step in range(12):
            install(["rouge"], remove=(number + step) % 3 == 0)
            found = loaded("rouge").path
            try:
                whole = found is None or found.read_text("utf-8").endswith("module_class(_here.stem)\n")
            except FileNotFoundError:  # removed since
                continue
            yield whole

    with ThreadPoolExecutor(4) as pool:
        told = [each for found in pool.map(lambda number: [*work(number)], range(4)) for each in found]
    assert len(told) > 4
    assert all(told)
    install(["rouge"])
    [left] = (cache / "evaluate_modules" / "metrics" / "evaluate-metric--rouge").glob("[!_]*")
    assert len(left.name) == 64


def test_a_folder_that_is_removed_while_it_is_made(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``mkdir`` raises then, although it may find the folder there."""
    mkdir, asked = Path.mkdir, []

    def gone_at_first(self: Path, *arguments: Any, **options: Any) -> None:
        if self.name == "evaluate-metric--rouge" and not asked:
            asked.append(self)
            raise FileExistsError(17, "File exists", str(self))
        mkdir(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", gone_at_first)
    [rouge] = install(["rouge"])
    assert asked
    assert rouge.is_ours
    install(["rouge"], remove=True)
    (cache / "evaluate_modules" / "metrics" / "evaluate-metric--rouge").touch()
    with pytest.raises(InputError, match=r"nothing can be changed in .*rouge \(File exists\)"):
        install(["rouge"])


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "file" / "modules")
    with pytest.raises(
        InputError, match=r"nothing can be changed in .*file.*\(Not a directory\); set HF_MODULES_CACHE"
    ):
        install(["rouge"])
    told = run("rouge")
    assert told.exit_code == 2
    assert told.stderr.count("\n") == 1


def test_bad_names(cache: Path) -> None:
    with pytest.raises(InputError, match="install: no metric is called 'rogue'; did you mean 'rouge'"):
        install(["rogue"])
    with pytest.raises(InputError, match="on the Hub, it is what a classifier finds toxic"):
        install(["bleu", "toxicity"])
    with pytest.raises(InputError, match=r"no metric is called '\.\./rouge'"):
        install(["../rouge"], remove=True)
    with pytest.raises(InputError, match="`names` is the str 'rouge'; a list of names"):
        install("rouge")
    with pytest.raises(InputError, match="`replace` and `remove` are both given"):
        install(["rouge"], replace=True, remove=True)
    assert not cache.exists()


def test_the_file_says_what_to_do_where_we_are_gone(cache: Path) -> None:
    [found] = install(["rouge"])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    code = f"import runpy; runpy.run_path({str(found.path)!r})"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment, cwd=cache
    )
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"ImportError: rouge: `metrologue install` made {found.path}, but {sys.executable} has no")
    assert said.endswith(f"delete the folder {found.path.parent}, and `evaluate` takes the Hub's module again.")


@pytest.mark.parametrize(
    "variables",
    [{}, {"XDG_CACHE_HOME": "/xdg"}, {"HF_HOME": "~/hf"}, {"HF_HOME": "/a", "HF_MODULES_CACHE": "/b"},
     {"HF_MODULES_CACHE": "~/modules"}],
)  # fmt: skip
def test_the_folder_is_that_of_evaluate(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "HF_HOME", "HF_MODULES_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    spec = importlib.util.spec_from_file_location("evaluate.config_anew", evaluate.config.__file__)
    assert spec is not None
    assert spec.loader is not None
    config: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(config)
    monkeypatch.delitem(sys.modules, "evaluate.config")
    assert modules_cache() == config.HF_MODULES_CACHE.absolute()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["install", *arguments])


def test_the_command_says_what_it_did(cache: Path) -> None:
    theirs = put(cache, "character")
    told = run("rouge", "character")
    assert told.exit_code == 0
    assert told.stdout.splitlines() == [
        f"Installed in {cache}: 1 module",
        "  rouge",
        f"Skipped, because another module has the name: character, {theirs}",
        "To put ours first: metrologue install character --replace",
        "Where there is a network, `evaluate` takes the Hub's modules, unless this is set: "
        "export HF_EVALUATE_OFFLINE=1",
    ]
    rows = {
        line.split()[0]: line.split()[1:] for line in run("--list", "rouge", "character", "bleu").stdout.splitlines()
    }
    assert rows["rouge"] == ["yes", str(loaded("rouge").path)]
    assert rows["character"] == ["no", str(theirs)]
    assert rows["bleu"] == ["-", "-"]
    assert "Skipped" not in run("character", "--replace").stdout
    assert run("--remove").stdout.splitlines() == [
        f"Removed from {cache}: 2 modules", "  character rouge", f"character is again {theirs}",
    ]  # fmt: skip
    assert run("--remove", "--list").exit_code == 2
    assert len(run("--list").stdout.splitlines()) == len(all_names()) + 1
