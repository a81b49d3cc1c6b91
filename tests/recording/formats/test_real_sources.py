"""Readers on real samples: conventions proven by reprojection."""

import json
import shutil

import numpy as np
import pytest

from real_data import real_data
from situ.errors import BadFormat, BadInput
from situ.perception.naming import annotate_recording
from situ.recording import Recording
from situ.recording.formats import (
    depth_agreement,
    import_aria,
    import_hololens,
    import_tum,
)
from situ.recording.formats.research.adt_box_check import box_agreement

pytestmark = pytest.mark.real


def agreement_of(folder) -> float:
    found = depth_agreement(Recording.open(folder), gap=10)
    assert found is not None
    return found.median_m


def test_hololens_depth_agrees_ten_frames_on(tmp_path) -> None:
    source = real_data("hololens_walk")
    report = import_hololens(source, tmp_path / "out")
    assert (report.frames, report.skipped) == (60, ())
    assert agreement_of(tmp_path / "out") < 0.02
    # The wrong up axis leaves depth in agreement but tips the walk over: it must stay level.
    assert np.ptp(Recording.open(tmp_path / "out").path.positions[:, 2]) < 0.3


def test_tum_depth_agrees_ten_frames_on(tmp_path) -> None:
    report = import_tum(real_data("tum_fr1_rpy_mini"), tmp_path / "out")
    assert report.frames == 60
    assert agreement_of(tmp_path / "out") < 0.03
    shutil.copytree(real_data("tum_fr1_rpy_mini"), tmp_path / "half")
    (tmp_path / "half/groundtruth.txt").unlink()
    assert import_tum(tmp_path / "half", tmp_path / "out2").frames == 60
    assert Recording.open(tmp_path / "out2").meta["poses"] == "unknown"
    (tmp_path / "half/rgb.txt").unlink()
    with pytest.raises(BadInput, match=r"rgb\.txt"):
        import_tum(tmp_path / "half", tmp_path / "out3")


def test_adt_box_centres_project_into_their_2d_boxes() -> None:
    found = box_agreement(real_data("adt_apartment"), frame=0)
    assert found.total >= 85
    assert found.inside >= found.total * 80 / 85


def test_adt_becomes_an_upright_recording_with_named_things(tmp_path) -> None:
    report = import_aria(real_data("adt_apartment"), tmp_path / "out", size=256)
    recording = Recording.open(tmp_path / "out")
    assert (report.frames, report.objects) == (3, 349)
    assert any("Skeleton" in note for note in report.skipped)  # a person has no pose of an object
    assert 1.3 < recording.path.positions[0, 2] < 1.8  # eye height: the y-up world was turned
    bowl = next(o for o in recording.objects.values() if o.attributes["name"] == "WoodenBowl")
    assert bowl.id in {seen.object_id for seen in recording.frames[0].visible}
    x, y = recording.camera.project_world(recording.path.poses[0], bowl.box.center)
    assert 0.4 < x / 256 < 0.8
    assert y / 256 > 0.6


def test_mps_path_comes_in_without_pictures(tmp_path) -> None:
    report = import_aria(real_data("aria_mps"), tmp_path / "out")
    recording = Recording.open(tmp_path / "out")
    assert not recording.has_images
    assert 90 < report.frames < 130
    assert recording.path.length == pytest.approx(7.5, abs=0.5)  # 7.67 m in the file's own summary
    assert np.ptp(recording.path.positions[:, 2]) < 0.8


def test_an_unknown_camera_model_is_named(tmp_path) -> None:
    shutil.copytree(real_data("adt_apartment"), tmp_path / "adt")
    file = tmp_path / "adt/camera_calibration.json"
    data = json.loads(file.read_text())
    data["camera-rgb"]["model"] = "CameraModelType.KANNALA_BRANDT_K3"
    file.write_text(json.dumps(data))
    with pytest.raises(BadFormat, match="KANNALA"):
        import_aria(tmp_path / "adt", tmp_path / "out")


def test_annotated_pixels_become_things_that_other_frames_see(tmp_path) -> None:
    import_hololens(real_data("hololens_walk"), tmp_path / "walk")
    walk = Recording.open(tmp_path / "walk")
    (tmp_path / "things.csv").write_text("label,frame,x,y\nleft thing,0,100,180\nright thing,0,430,200\n")
    report = annotate_recording(walk, tmp_path / "things.csv", tmp_path / "out")
    recording = Recording.open(tmp_path / "out")
    assert report.objects == 2
    for thing in recording.objects.values():
        spans = [f.index for f in recording.frames if thing.id in {v.object_id for v in f.visible}]
        assert spans[0] == 0
        assert len(spans) < len(recording)
    (tmp_path / "bad.csv").write_text("label,frame,x,y\nlamp,ninety,1,2\n")
    with pytest.raises(BadFormat, match="line 2"):
        annotate_recording(walk, tmp_path / "bad.csv", tmp_path / "out2")
