"""The network for photographs, tiny: it learns, is kept, goes on, and is written. Needs the extra `teach`."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'teach' (torch)")
pytest.importorskip("onnx", reason="needs the extra 'teach' (onnx)")

from situ.errors import BadFormat, BadInput  # noqa: E402
from situ.geometry.camera import Camera  # noqa: E402
from situ.perception.photos.channels import FIELDS, NAMES, STRIDE, TOLD, WHOLE, WORDS  # noqa: E402
from situ.perception.photos.network import PhotoNetwork  # noqa: E402
from situ.train.eyes.labels import CENTER, SIZE  # noqa: E402
from situ.train.photos.augment import Lots, disturbed, in_another_style, spoilt, viewed  # noqa: E402
from situ.train.photos.backbone import ViT, pack, read_weights  # noqa: E402
from situ.train.photos.calibration import fitted, log_odds  # noqa: E402
from situ.train.photos.export import export  # noqa: E402
from situ.train.photos.look import look_at  # noqa: E402
from situ.train.photos.loss import WEIGHTS, _rays, _rows_of, losses  # noqa: E402
from situ.train.photos.network import PhotoEyes, lens_of, metres_by  # noqa: E402
from situ.train.photos.recipe import TRAINING, PhotoRecipe  # noqa: E402
from situ.train.photos.run import LATEST, MODEL, STATE, _Run, load, save, teach  # noqa: E402
from situ.train.photos.store import PhotoStore  # noqa: E402
from situ.train.photos.stream import Pages, render_photos  # noqa: E402

PAGES = Pages(3, 112, 84)
RECIPE = PhotoRecipe(width=112, height=84, frames_per_world=3, kept_worlds=2, first_worlds=1, batch_frames=3)


def tiny() -> PhotoEyes:
    torch.manual_seed(0)
    return PhotoEyes(None, 1, ViT(48, 3, 4))


@pytest.fixture(scope="module")
def store() -> PhotoStore:
    kept = PhotoStore(2, PAGES, "cpu")
    for number in (1, 2):
        kept.take(render_photos(3, TRAINING, number, PAGES))
    return kept


def test_views_that_are_mirrored_rolled_and_zoomed_keep_things_in_their_places(store: PhotoStore) -> None:
    frames = store.frames(np.arange(6))
    for seed in range(4):
        views, surface = viewed(frames, 112, 84, Lots("cpu", seed))
        assert views.picture.shape == (6, 3, 84, 112)
        assert surface.shape == (6, 2, 84, 112)
        assert views.up.norm(dim=-1) == pytest.approx(torch.ones(6), abs=1e-5)
        rows = _rows_of(views)
        on = (views.thing > 0) & (views.depth > 0)
        point = _rays(views) * views.depth[..., None]
        away = (point - rows[..., CENTER : CENTER + 3]).norm(dim=-1)[on]
        reach = 0.5 * torch.exp(rows[..., SIZE : SIZE + 3]).norm(dim=-1)[on]
        assert float((away - reach).quantile(0.9)) < 0.15


def test_disturbed_pictures_are_pictures_and_spoilt_ones_are_told(store: PhotoStore) -> None:
    lots = Lots("cpu", 1)
    views, surface = viewed(store.frames(np.arange(6)), 112, 84, lots)
    for picture in (disturbed(views.picture, surface, views.focal, lots),
                    in_another_style(views.picture, surface, views.focal)):  # fmt: skip
        assert float(picture.min()) >= 0
        assert float(picture.max()) <= 1
        assert not torch.equal(picture, views.picture)
    bad = spoilt(views, lots, 0.5)
    assert int((bad.readable == 0).sum()) == 3
    same = bad.readable == 1
    assert torch.equal(bad.picture[same], views.picture[same])


def test_it_learns_and_the_frozen_part_stays(store: PhotoStore, tmp_path: Path) -> None:
    run = _Run(RECIPE, tiny(), tmp_path, "cpu")
    before = {k: v.clone() for k, v in run.eyes.frozen.state_dict().items()}
    for _ in range(2):
        run.step(store, 0.1)
    assert all(torch.equal(v, before[k]) for k, v in run.eyes.frozen.state_dict().items())
    line = json.loads(run.look(store))
    assert 0 <= line["other_style"]["within"] <= 1
    assert {file.name for file in tmp_path.iterdir()} >= {"latest_heads.npz", "best_tuned.npz", "log.jsonl"}


def test_losses_are_finite_where_nothing_can_be_seen(store: PhotoStore) -> None:
    views, _ = viewed(store.frames(np.arange(6)), 112, 84, Lots("cpu", 0))
    bad = spoilt(views, Lots("cpu", 0), 1.0)
    names, fields, rooms, whole = tiny()(bad.picture, bad.focal)
    found = losses(names, fields, rooms, whole, bad)
    assert set(found) == set(WEIGHTS)
    assert all(torch.isfinite(value) for value in found.values())


def test_what_is_kept_is_taken_over(store: PhotoStore, tmp_path: Path) -> None:
    eyes, other = tiny(), tiny()
    with torch.no_grad():
        eyes.names.bias.add_(1.0)
    save(eyes, tmp_path, LATEST)
    load(other, tmp_path, LATEST)
    assert torch.allclose(other.names.bias, eyes.names.bias, atol=1e-2)
    with pytest.raises(BadInput, match="train photos"):
        load(other, tmp_path / "nowhere")
    with pytest.raises(BadFormat):
        load(PhotoEyes(None, 2, ViT(48, 3, 4)), tmp_path, LATEST)
    assert look_at(other, store, False).up_deg >= 0


def test_the_lens_is_known_and_size_does_not_shift_the_scale() -> None:
    log_depth = torch.zeros(1, 2, 2)
    near = metres_by(log_depth, torch.tensor([400.0]), 448)
    half = metres_by(log_depth, torch.tensor([200.0]), 224)
    wide = metres_by(log_depth, torch.tensor([200.0]), 448)
    assert torch.equal(near, half)
    assert float(wide[0, 0, 0]) == pytest.approx(0.5 * float(near[0, 0, 0]))
    assert lens_of(torch.zeros(1, 3, 336, 448), torch.tensor([400.0])).abs().max() == 0


def test_answers_have_a_cell_for_every_half_patch() -> None:
    eyes = tiny().eval()
    names, fields, _, whole = eyes(torch.rand(1, 3, 56, 84), torch.tensor([80.0]))
    assert names.shape == (1, len(NAMES), 56 // STRIDE, 84 // STRIDE)
    assert fields.shape[1] == sum(FIELDS.values())
    assert whole.shape == (1, len(WHOLE))
    assert float(whole[0, :3].detach().norm()) == pytest.approx(1.0, abs=1e-4)


def test_weights_travel_in_eight_bits(tmp_path: Path) -> None:
    weights = {k: v.half().numpy() for k, v in ViT().state_dict().items() if "blocks.0" in k or k == "pos"}
    weights["blocks.0.attn.qkv.weight"] = np.random.default_rng(0).normal(size=(1152, 384)).astype(np.float16)
    pack(weights, tmp_path / "w.npz")
    back = read_weights(tmp_path / "w.npz")
    assert set(back) == set(weights)
    for name, value in weights.items():
        assert np.abs(back[name].astype(float) - value).max() <= np.abs(value.astype(float)).max() / 127


def test_a_run_that_was_cut_short_goes_on_and_ends_with_a_network(tmp_path: Path) -> None:
    short = replace(RECIPE, held_worlds=1, held_frames=2)
    said: list[str] = []
    first = teach(short, None, tmp_path, "cpu", 1, within=0.0, eyes=tiny(), report=said.append)
    kept = json.loads((tmp_path / STATE).read_text())
    assert first["model"] is None
    assert kept["seconds"] < short.seconds
    last = teach(replace(short, seconds=1e-6), None, tmp_path, "cpu", 1, eyes=tiny(), report=said.append)
    assert last["steps"] >= kept["steps"]
    network = PhotoNetwork(tmp_path / MODEL)
    assert network.names == TOLD


def test_calibration_finds_what_scores_mean() -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(0.05, 0.95, 20_000)
    right = rng.random(len(scores)) < 1 / (1 + np.exp(-(0.4 + 1.5 * log_odds(scores))))
    assert fitted(scores, right) == pytest.approx((0.4, 1.5), abs=0.1)
    assert fitted(np.empty(0), np.empty(0, bool)) == (0.0, 1.0)


def test_what_is_written_reads_pictures_as_what_was_taught_does(tmp_path: Path) -> None:
    eyes, rng = tiny().eval(), np.random.default_rng(3)
    rgb = rng.integers(0, 255, (336, 448, 3)).astype(np.uint8)
    for focal in (300.0, 500.0):
        lens = Camera(448, 336, focal, focal, 224.0, 168.0)
        export(eyes, tmp_path / MODEL, {}, [(rgb[:84, :112].copy(), 90.0)], rounded=False)
        found = PhotoNetwork(tmp_path / MODEL).glance(rgb, lens)
        with torch.no_grad():
            picture = torch.from_numpy(rgb).permute(2, 0, 1)[None].float() / 255
            names, fields, _, whole = eyes(picture, torch.tensor([focal]))
            metres = metres_by(fields[:, 0], torch.tensor([focal]), 448)
        chances = names[0].softmax(0)
        by_word = torch.stack([chances[[word == told for word in WORDS]].sum(0) for told in TOLD])
        assert (found.label == by_word.argmax(0).numpy()).mean() > 0.98
        assert np.allclose(found.chances[..., 0], by_word.amax(0).numpy(), atol=1e-3)
        assert np.allclose(found.metres, metres[0].numpy(), rtol=2e-2)
        assert np.allclose(found.up, whole[0, :3].numpy(), atol=1e-2)
        assert found.doubt.shape == found.metres.shape == (48, 64)
