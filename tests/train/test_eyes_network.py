"""The network end to end, tiny: learn, stop, go on, export, look. Needs the extra `teach`."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'teach' (torch)")
pytest.importorskip("onnx", reason="needs the extra 'teach' (onnx)")
pytest.importorskip("onnxruntime", reason="needs the extra 'teach' (onnxruntime)")

from situ.errors import BadInput  # noqa: E402
from situ.geometry.camera import Camera  # noqa: E402
from situ.perception.homes.channels import CENTRE_PX, FIELDS, FOCAL, LOOK, NAMES, ROOMS, slices  # noqa: E402
from situ.perception.homes.instances import instances  # noqa: E402
from situ.perception.homes.network import Network  # noqa: E402
from situ.train.eyes.augment import compressed, mirrored, randomised  # noqa: E402
from situ.train.eyes.export import export  # noqa: E402
from situ.train.eyes.labels import CENTER, COLOR, MATERIAL, SIZE, TURN  # noqa: E402
from situ.train.eyes.loss import Batch, look_loss, losses, rays, targets_of  # noqa: E402
from situ.train.eyes.network import Exported, HomeEyes  # noqa: E402
from situ.train.eyes.recipe import TRAINING, EyesRecipe  # noqa: E402
from situ.train.eyes.run import CHECKPOINT, LOG, MODEL, Clock, RunOptions, _Run, train_eyes  # noqa: E402
from situ.train.eyes.store import FrameStore  # noqa: E402
from situ.train.eyes.stream import render_world  # noqa: E402


@pytest.fixture(scope="module")
def batch() -> Batch:
    store = FrameStore(1, 3, "cpu")
    store.fill(iter([render_world(5, TRAINING, 1, 3)])).join()
    return store.frames(np.arange(3))


def _right_answer(batch: Batch) -> tuple[Any, Any, Any]:
    """Scores and numbers that say exactly what the labels say."""
    rows = targets_of(batch)
    names = 30.0 * torch.nn.functional.one_hot(batch.name.long(), len(NAMES)).permute(0, 3, 1, 2).float()
    fields = torch.zeros(len(batch.rgb), sum(FIELDS.values()), *batch.name.shape[1:])
    at = slices(FIELDS)
    metres, focal = batch.depth.float().clamp(min=0.05), batch.focal[:, None, None]
    fields[:, at["depth"]] = torch.log(metres * FOCAL / focal)[:, None]
    centre = (rows[..., CENTER : CENTER + 3] - rays(batch) * metres[..., None]) * (
        focal / metres / CENTRE_PX
    )[..., None]
    fields[:, at["centre"]] = centre.permute(0, 3, 1, 2)
    fields[:, at["size"]] = rows[..., SIZE : SIZE + 3].permute(0, 3, 1, 2)
    fields[:, at["turn"]] = rows[..., TURN : TURN + 2].permute(0, 3, 1, 2)
    for name, column in (("color", COLOR), ("material", MATERIAL)):
        told = rows[..., column].long().clamp(min=0)
        fields[:, at[name]] = 30.0 * torch.nn.functional.one_hot(told, FIELDS[name]).permute(0, 3, 1, 2)
    fields[:, at["surface"]] = 30.0 * torch.nn.functional.one_hot(
        batch.surface.long(), FIELDS["surface"]
    ).permute(0, 3, 1, 2)
    rooms = 30.0 * torch.nn.functional.one_hot(batch.room.long(), len(ROOMS)).float()
    return names, fields, rooms


def test_the_right_answer_costs_nothing_and_so_does_its_mirror_image(batch: Batch) -> None:
    for seen in (batch, mirrored(batch, torch.tensor([True, False, True]))):
        found = losses(*_right_answer(seen), seen)
        for name in ("name", "depth", "centre", "size", "turn", "color", "material", "surface", "room"):
            assert float(found[name]) < 2e-3, name


def test_a_mirror_image_of_a_mirror_image_is_the_frame(batch: Batch) -> None:
    which = torch.tensor([True, True, False])
    twice = mirrored(mirrored(batch, which), which)
    assert torch.equal(twice.rgb, batch.rgb)
    assert torch.equal(twice.things, batch.things)


def test_looks_do_not_depend_on_how_worlds_are_numbered(batch: Batch) -> None:
    torch.manual_seed(2)
    pick = torch.tensor([0, 0, 1])  # one frame twice: some things are surely seen again
    batch = Batch(*(getattr(batch, part.name)[pick] for part in fields(batch)))
    look = torch.nn.functional.normalize(torch.randn(*batch.name.shape, LOOK), dim=-1)
    mixed = replace(batch, world=torch.tensor([0, 0, 1]))
    far = replace(batch, world=torch.tensor([70_000, 70_000, 70_001]))
    here = float(look_loss(look, targets_of(mixed), mixed))
    assert here > 0.1
    assert float(look_loss(look, targets_of(far), far)) == pytest.approx(here, rel=1e-5)


def test_randomised_pictures_stay_pictures(batch: Batch) -> None:
    picture = batch.rgb.permute(0, 3, 1, 2).float() / 255
    lots = torch.Generator().manual_seed(3)
    changed = randomised(picture, 0.35, lots)
    assert changed.shape == picture.shape
    assert 0.0 <= float(changed.min()) <= float(changed.max()) <= 1.0
    fine = compressed(picture, torch.full((3, 1, 1, 1), 1e-4))
    assert torch.allclose(fine, picture, atol=2e-3)


def _lively(eyes: HomeEyes) -> HomeEyes:
    """As if it had learnt: no two channels are normalised alike."""
    for part in eyes.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(part.weight, 0.7, 1.3)
            torch.nn.init.normal_(part.bias, 0.0, 0.3)
    return eyes


def test_the_file_says_what_the_network_says(batch: Batch, tmp_path: Path) -> None:
    torch.manual_seed(1)
    eyes = _lively(HomeEyes(0.25)).eval()
    rgb = batch.rgb.numpy()
    camera = Camera.from_fov(320, 240, 90)
    with torch.no_grad():
        label, sure, fields, rooms = (part[0].numpy() for part in Exported(eyes)(batch.rgb[:1]))
    export(eyes, tmp_path / "floats.onnx", {"about": "test"}, rgb, rounded=False)
    glance = Network(tmp_path / "floats.onnx").glance(rgb[0], camera)
    assert (glance.label == label).mean() > 0.999
    assert np.allclose(glance.sure, sure, atol=1e-3)
    assert np.allclose(glance.rooms, rooms, atol=1e-3)
    assert rooms.sum() == pytest.approx(1.0)
    assert np.allclose(glance.fields["look"], fields[slices(FIELDS)["look"]], atol=1e-3)
    export(eyes, tmp_path / "homes.onnx", {"about": "test"}, rgb)
    network = Network(tmp_path / "homes.onnx")
    glance = network.glance(rgb[0], camera)
    look = fields[slices(FIELDS)["look"]]
    assert np.corrcoef(glance.fields["look"].ravel(), look.ravel())[0, 1] > 0.98  # in bytes, not in floats
    sizes = [(tmp_path / name).stat().st_size for name in ("homes.onnx", "floats.onnx")]
    assert sizes[0] < sizes[1] / 2
    assert isinstance(instances(glance, network), list)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = EyesRecipe(
        worlds=2, frames_per_world=3, steps=4, batch_worlds=2, batch_frames=2, first_worlds=1, width=0.25
    )
    whole = train_eyes(recipe, tmp_path / "a", RunOptions("cpu", -1, save_every=2, held_out=0))
    assert whole["frames"] == 6
    steps = _Run.step

    def stopped(run: _Run, store: FrameStore, step: int) -> None:
        if step == 3:
            raise KeyboardInterrupt
        steps(run, store, step)

    monkeypatch.setattr(_Run, "step", stopped)
    with pytest.raises(KeyboardInterrupt):
        train_eyes(recipe, tmp_path / "b", RunOptions("cpu", -1, save_every=2, held_out=0))
    monkeypatch.setattr(_Run, "step", steps)
    train_eyes(recipe, tmp_path / "b", RunOptions("cpu", -1, save_every=2, held_out=0))
    last = [json.loads((tmp_path / run / LOG).read_text().splitlines()[-1]) for run in "ab"]
    assert last[0]["step"] == last[1]["step"] == 4
    rgb, camera = render_world(5, TRAINING, 1, 1).rgb[0], Camera.from_fov(320, 240, 90)
    one, two = (Network(tmp_path / run / MODEL).glance(rgb, camera) for run in "ab")
    assert np.allclose(one.sure, two.sure, atol=1e-3)
    with pytest.raises(BadInput, match="another recipe"):
        train_eyes(EyesRecipe(worlds=1, steps=1, frames_per_world=4), tmp_path / "a", RunOptions("cpu", -1))
    _goes_on_from(tmp_path / "a" / CHECKPOINT, recipe, tmp_path)


def _goes_on_from(checkpoint: Path, recipe: EyesRecipe, folder: Path) -> None:
    """Another run begins with the network of this one, and takes nothing that is none."""
    kept = torch.load(checkpoint, weights_only=True)["average"]
    run = _Run(recipe, folder, "cpu")
    run.begin(checkpoint)
    assert all(torch.equal(value, kept[name]) for name, value in run.eyes.state_dict().items())
    fewer = {**kept, "names.weight": kept["names.weight"][:100], "names.bias": kept["names.bias"][:100]}
    torch.save({"average": fewer}, folder / "fewer.pt")
    grown = _Run(recipe, folder, "cpu")
    grown.begin(folder / "fewer.pt")  # names that were added since are learnt beside the old ones
    assert torch.equal(grown.average.names.weight[:100], kept["names.weight"][:100])
    assert len(grown.eyes.names.bias) == len(NAMES)
    (folder / "none.pt").write_bytes(b"no network")
    with pytest.raises(BadInput, match="holds no network"):
        run.begin(folder / "none.pt")
    with pytest.raises(BadInput, match="of this size"):
        _Run(replace(recipe, width=0.5), folder, "cpu").begin(checkpoint)


def test_by_the_clock_a_run_ends_in_time_and_uses_frames_that_are_there(tmp_path: Path) -> None:
    recipe = EyesRecipe(
        worlds=1, frames_per_world=3, steps=5000, batch_worlds=1, batch_frames=2, first_worlds=1, width=0.25
    )
    store = FrameStore(1, 3, "cpu")
    store.fill(iter([render_world(5, TRAINING, 1, 3)])).join()
    found = train_eyes(recipe, tmp_path, RunOptions("cpu", -1, held_out=1, seconds=0.01), store=store)
    assert 0 < found["steps"] < 100
    assert found["held_out"]["depth"] > 0
    assert found["frames"] == 3
    assert (tmp_path / MODEL).exists()


def test_the_clock_counts_the_steps_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("situ.train.eyes.run.time.perf_counter", lambda: now)
    clock, planned = Clock(100.0), 10_000
    for step in range(1200):  # ten steps a second
        now += 0.1
        planned = clock.steps(step, planned)
        if step + 1 >= planned:
            break
    assert 990 <= step + 1 <= 1001
