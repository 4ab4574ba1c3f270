"""Trainers against plain linear algebra and torch; what was saved gives the same bits; a training goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrologue import InputError
from metrologue.files.forms import TEXT, record
from metrologue.learned import (
    Features,
    Mlp,
    Network,
    Ridge,
    TrainedModel,
    open_model,
    read_examples,
    save_model,
    train,
)
from metrologue.learned.store import SAMPLE
from metrologue.learned.tensors import tensors_from, tensors_to
from metrologue.learned.training import MeanOfZScores, PairClassifier, Ranker
from metrologue.learned.training.linear import standard, standardized
from metrologue.learned.training.networks import pair_features
from metrologue.scorers.bleurt import network


def drawn(rows: int, width: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Features, and targets that a line and noise make of them."""
    draws = np.random.default_rng(seed)
    x = draws.normal(size=(rows, width)) * draws.uniform(0.1, 9, width) + draws.normal(size=width)
    return x, x @ draws.normal(size=width) + draws.normal(size=rows)


@pytest.mark.parametrize("width", [3, 50])
def test_ridge_is_the_solution_of_the_normal_equations(width: int) -> None:
    x, y = drawn(20, width)
    line = Ridge(alpha=2.5).fit(x, y)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    weights = np.linalg.solve(z.T @ z + 2.5 * np.eye(width), z.T @ (y - y.mean()))
    np.testing.assert_allclose(line(x)[:, 0], z @ weights + y.mean(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("width", [3, 50])
@pytest.mark.parametrize("count", [4, 2, 1])
@pytest.mark.parametrize("seed", [1, 2, 7])
def test_alpha_is_the_one_with_the_least_error_of_groups_left_out(width: int, count: int, seed: int) -> None:
    x, y = drawn(24, width, seed)
    groups = [f"{row % count}" for row in range(24)] if count > 1 else None
    alphas = (0.01, 1.0, 30.0, 1000.0)
    z, level = standardized(x, *standard(x)), y.mean()
    errors = []
    for alpha in alphas:
        found = np.empty(24)
        for name in sorted({*groups}) if groups else range(24):
            own = np.array([group == name for group in groups]) if groups else np.arange(24) == name
            rest = z[~own]
            weights = np.linalg.solve(rest.T @ rest + alpha * np.eye(width), rest.T @ (y[~own] - level))
            found[own] = z[own] @ weights + level
        errors.append(((found - y) ** 2).sum())
    best = alphas[int(np.argmin(errors))]
    chosen, expected = Ridge(alphas=alphas).fit(x, y, groups), Ridge(alpha=best).fit(x, y)
    np.testing.assert_allclose(chosen(x), expected(x), rtol=1e-12)


def test_a_missing_feature_counts_as_its_mean() -> None:
    x, y = drawn(12, 2)
    line = Ridge(alpha=0.1).fit(x, y)
    row = np.array([[np.nan, 1.0]])
    assert line(row).tolist() == line(np.array([[line.mean[0], 1.0]])).tolist()
    constant = Ridge(alpha=0.1).fit(np.column_stack([x, np.full(12, 7.0)]), y)
    np.testing.assert_allclose(constant(np.column_stack([x, np.full(12, 9.0)])), line(x), atol=1e-9)


def test_the_mean_of_z_scores() -> None:
    x, y = drawn(9, 3)
    found = MeanOfZScores((1, -1, 1)).fit(x, y)(x)[:, 0]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    np.testing.assert_allclose(found, (z[:, 0] - z[:, 1] + z[:, 2]) / 3, rtol=1e-12, atol=1e-12)


def test_what_nothing_can_be_learned_from_is_refused() -> None:
    x, y = drawn(5, 2)
    for trainer in (Ridge(), Mlp()):
        with pytest.raises(InputError, match="all 5 targets are 1; there is nothing to tell apart"):
            trainer.fit(x, np.ones(5))
        with pytest.raises(InputError, match=r"features of the shape \(5, 2\) for 4 targets"):
            trainer.fit(x, y[:4])
        with pytest.raises(InputError, match="two or more finite numbers are expected"):
            trainer.fit(x, np.array([1, 2, 3, np.nan, 5]))


def test_a_network_refuses_what_does_not_fit() -> None:
    with pytest.raises(InputError, match=r"the shape of 'layers.0.weights' is .*does not fit the others"):
        Network(np.zeros(2), np.ones(2), [(np.zeros((1, 3)), np.zeros(1))])
    with pytest.raises(InputError, match="has a number that is not finite"):
        Network(np.zeros(2), np.ones(2), [(np.full((1, 2), np.nan), np.zeros(1))])
    with pytest.raises(InputError, match="there is no array 'mean'"):
        Network.of_tensors({}, {"head": "value"})


def test_the_format_is_that_of_safetensors(tmp_path: Path) -> None:
    arrays = {
        "b": np.arange(6.0).reshape(2, 3),
        "a": np.array([], np.float32),
        "c": np.array(3),
        "d": np.ones(3, np.uint8),
    }
    content = tensors_to(arrays, {"head": "value"})
    found, about = tensors_from(content)
    assert about == {"head": "value"}
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape, found[name].tobytes()) == (
            array.dtype,
            array.shape,
            array.tobytes(),
        )
    for cut in (b"", content[:4], content[:30], content[:-1], b"\xff" * 40):
        with pytest.raises(InputError, match="there holds no arrays in the format of safetensors"):
            tensors_from(cut, "there")
    theirs = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed: pip install safetensors")
    (tmp_path / "ours").write_bytes(content)
    for name, array in theirs.load_file(tmp_path / "ours").items():
        assert array.tobytes() == arrays[name].tobytes()
    again, _ = tensors_from(theirs.save(arrays, {"head": "value"}))
    assert {name: each.tolist() for name, each in again.items()} == {
        name: each.tolist() for name, each in arrays.items()
    }


def test_the_forward_pass_is_that_of_torch(torch: Any) -> None:
    draws = np.random.default_rng(2)
    layers = [(draws.normal(size=(5, 3)), draws.normal(size=5)), (draws.normal(size=(2, 5)), draws.normal(size=2))]
    module = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2), torch.nn.Softmax(1))
    module.double()
    for part, (weights, biases) in zip((module[0], module[2]), layers, strict=True):
        part.weight.data, part.bias.data = torch.from_numpy(weights), torch.from_numpy(biases)
    x = draws.normal(size=(7, 3))
    ours = Network(np.zeros(3), np.ones(3), layers, "classes")(x)
    np.testing.assert_allclose(ours, module(torch.from_numpy(x)).detach().numpy(), rtol=1e-12)


def test_32_rows_can_be_overfitted(torch: Any) -> None:
    x, _ = drawn(32, 8, seed=4)
    noise = np.random.default_rng(5).normal(size=32)
    all_epochs = {"epochs": 400, "share": 0.0, "dropout": 0.0, "decay": 0.0, "batch": 32}
    found = Mlp(hidden=(64, 64), rate=3e-3, **all_epochs).fit(x, noise)(x)[:, 0]
    assert np.abs(found - noise).max() < 0.05
    labels = (noise > 0).astype(float)
    classes = Mlp(hidden=(64,), head="classes", **all_epochs).fit(x, labels)(x)
    assert ((classes[:, 1] > 0.5) == (labels == 1)).all()
    np.testing.assert_allclose(classes.sum(axis=1), 1.0)
    ranked = Ranker(hidden=(64,), **{**all_epochs, "batch": 128, "epochs": 150}).fit(x, noise)(x)[:, 0]
    assert np.corrcoef(np.argsort(np.argsort(ranked)), np.argsort(np.argsort(noise)))[0, 1] > 0.99
    better = PairClassifier(hidden=(64,), **{**all_epochs, "epochs": 150}).fit_pairs(
        x[:16], x[16:], np.sign(noise[:16] - noise[16:]).astype(int)
    )
    shares = better(pair_features(x[:16], x[16:]))
    assert ((shares[:, 2] > shares[:, 0]) == (noise[:16] > noise[16:])).all()


def test_a_seed_decides_and_the_users_own_draws_stay(torch: Any) -> None:
    x, y = drawn(40, 4)
    quick = {"hidden": (8,), "epochs": 4}
    torch.manual_seed(9)
    before = torch.random.get_rng_state()
    one, same, other = (Mlp(seed=seed, **quick).fit(x, y)(x) for seed in (1, 1, 2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert one.tobytes() == same.tobytes() != other.tobytes()


def test_it_stops_early(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from metrologue.learned.training import loop

    ended = []
    own = loop._Run.ended
    monkeypatch.setattr(loop._Run, "ended", lambda run, *given: (ended.append(given[0]), own(run, *given)))
    x, _ = drawn(60, 4)
    Mlp(hidden=(32,), epochs=300, patience=3).fit(x, np.random.default_rng(0).normal(size=60))
    assert len(ended) < 300
    assert min(ended[-3:]) >= min(ended[:-3])


@pytest.mark.parametrize("after", [1, 3])
def test_a_training_that_was_ended_goes_on(after: int, torch: Any, tmp_path: Path, ended_when: Any) -> None:
    x, y = drawn(50, 4)
    trainer, file = Mlp(hidden=(8,), epochs=6, dropout=0.3, batch=16), tmp_path / "kept"
    whole = trainer.fit(x, y)(x)
    with ended_when(lambda run, path: run.epoch == after), pytest.raises(KeyboardInterrupt):
        trainer.fit(x, y, checkpoint=file)
    assert trainer.fit(x, y, checkpoint=file)(x).tobytes() == whole.tobytes()
    with pytest.raises(InputError, match="is of another training"):
        Mlp(hidden=(8,), epochs=6, dropout=0.3, batch=17).fit(x, y, checkpoint=file)
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(InputError, match="holds no arrays"):
        trainer.fit(x, y, checkpoint=file)


def test_a_training_that_diverges_says_so(torch: Any) -> None:
    x, y = drawn(20, 3)
    with pytest.raises(InputError, match=r"the loss of epoch \d+ is .*; give a lower rate"):
        Mlp(rate=1e30, epochs=9).fit(x, y)


def test_pairs_that_are_refused(torch: Any) -> None:
    x, _ = drawn(4, 3)
    with pytest.raises(InputError, match=r"`labels\[2\]` is 2; -1, 0 or 1 is expected"):
        PairClassifier().fit_pairs(x, x, np.array([1, 0, 2, -1]))
    with pytest.raises(InputError, match="none of 4 pairs has a better text"):
        PairClassifier().fit_pairs(x, x, np.zeros(4, int))
    with pytest.raises(InputError, match="no two texts of a group differ"):
        Ranker().fit(x, np.array([1.0, 2.0, 3.0, 4.0]), ["a", "b", "c", "d"])


class Counter:
    """Reads texts, and counts letters."""

    architecture, reads_texts, shape, settings = "counter", True, "1", {"letter": "a"}
    settings_form, file_names = staticmethod(record({"letter": TEXT})), ("letters.txt",)

    def __init__(self, letters: bytes = b"abc") -> None:
        self.letters = letters

    def tensors(self) -> dict[str, np.ndarray]:
        return {"weight": np.array([2.0], np.float32)}

    def files(self) -> dict[str, bytes]:
        return {"letters.txt": self.letters}

    @classmethod
    def of_tensors(cls, tensors: Any, settings: Any, files: Any) -> Counter:
        assert settings == cls.settings
        assert tensors["weight"].dtype == np.float32
        return cls(files["letters.txt"])


def test_a_network_of_another_architecture_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "Counter", Counter, raising=False)
    model = TrainedModel("bleurt", Features(()), Counter())
    save_model(model, tmp_path)
    assert open_model(tmp_path).name == model.name
    with pytest.raises(InputError, match="architecture counter, and Network is needed"):
        _ = model.layers
    (tmp_path / "letters.txt").write_bytes(b"abd")
    with pytest.raises(InputError, match="has been changed"):
        open_model(tmp_path)
    about = json.loads((tmp_path / "model.json").read_text("utf-8"))
    del about["digest"]
    for key, wrong, message in (
        ("files", ["../letters.txt"], "has the file '../letters.txt'; a counter has letters.txt"),
        ("architecture", "abacus", "architecture 'abacus' is unknown"),
    ):
        (tmp_path / "model.json").write_text(json.dumps({**about, key: wrong}), "utf-8")
        with pytest.raises(InputError, match=message):
            open_model(tmp_path)


def test_a_network_of_layers_needs_features() -> None:
    with pytest.raises(InputError, match="there are no features"):
        TrainedModel("composite", Features(()), Network(np.zeros(0), np.ones(0), [(np.zeros((1, 0)), np.zeros(1))]))


def test_a_training_does_not_go_on_with_other_data(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    rated = read_examples(SAMPLE)
    options = {"encoders": ["ngrams-8@2"], "trainer": Mlp(hidden=(4,), epochs=1), "measure": False}
    first = train("composite", rated, **options, checkpoint=tmp_path / "training.safetensors")
    again = train("composite", rated, **options, checkpoint=tmp_path / "training.safetensors")
    assert again.name == first.name
    other = replace(rated, targets=rated.targets[::-1].copy())
    with pytest.raises(InputError, match="training with other data"):
        train("composite", other, **options, checkpoint=tmp_path / "training.safetensors")
    (tmp_path / "training.safetensors").unlink()
    assert train("composite", other, **options, checkpoint=tmp_path / "training.safetensors").name != first.name
