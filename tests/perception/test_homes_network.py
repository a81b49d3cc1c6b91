"""The network that travels with the package: it knows the words of today's worlds, and sees what is drawn."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="needs the extra 'eyes' (onnxruntime)")

from situ.perception.eyes_package import packaged_eyes
from situ.perception.homes.channels import COLORS, FIELDS, MATERIALS, NAMES
from situ.perception.homes.instances import instances
from situ.perception.homes.network import FILE, Network
from situ.train.eyes.filming import film
from situ.train.eyes.labels import NAME, PIXELS, labels_of
from situ.train.eyes.recipe import HELD_OUT
from situ.train.eyes.worlds import build, source_of

MOST_BYTES = 12e6
CLEAR_PX = 400


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(packaged_eyes(FILE))


def test_its_words_are_those_of_the_worlds(network: Network) -> None:
    assert network.names == NAMES[: len(network.names)]  # new ones come last
    assert (network.colors, network.materials) == (COLORS, MATERIALS)
    assert set(network._fields) == set(FIELDS)
    assert network.file.stat().st_size <= MOST_BYTES


def test_bytes_mean_the_same_on_every_processor(network: Network) -> None:
    """Without the instructions for it sums of bytes overflow; the same network in floats cannot."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    in_floats = onnxruntime.InferenceSession(str(network.file), options, providers=["CPUExecutionProvider"])
    rng = source_of(92, HELD_OUT, 0)
    alike = [
        np.mean(network.glance(rgb, shot.camera).label == in_floats.run(["label"], {"rgb": rgb[None]})[0][0])
        for shot in film(build(rng, "homes"), 4, rng)
        for rgb in [shot.frame.rgb]
    ]
    assert min(alike) > 0.98, alike


def test_it_names_what_an_unseen_home_shows(network: Network) -> None:
    rng = source_of(91, HELD_OUT, 0)
    right = clear = 0
    for shot in film(build(rng, "homes"), 6, rng):
        labels = labels_of(shot)
        found = instances(network.glance(shot.frame.rgb, shot.camera), network)
        for row in range(1, int(labels.thing.max()) + 1):
            about = labels.things[row - 1]
            if about[PIXELS] < CLEAR_PX:
                continue
            clear += 1
            mask = labels.thing == row
            right += any(
                thing.name == int(about[NAME]) and (mask & thing.cells).sum() > 0.5 * mask.sum()
                for thing in found
            )
    assert clear >= 10
    assert right >= 0.8 * clear, f"{right} of {clear}"
