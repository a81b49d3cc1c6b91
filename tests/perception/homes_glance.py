"""What a faultless network would say of a rendered frame."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from situ.perception.homes.channels import (
    CENTRE_PX,
    COLORED,
    COLORS,
    FIELDS,
    FOCAL,
    MATERIALS,
    NAMES,
    ROOMS,
    SHELL,
    STRIDE,
)
from situ.perception.homes.network import Glance
from situ.train.eyes.filming import Shot
from situ.train.eyes.labels import CENTER, COLOR, MATERIAL, SIZE, TURN, Labels

MEANING: Any = SimpleNamespace(
    names=NAMES,
    shell=len(SHELL),
    colors=COLORS,
    materials=MATERIALS,
    colored=frozenset(COLORED),
    rooms=ROOMS,
)


def faultless(shot: Shot, labels: Labels) -> Glance:
    """The labels of a frame in the network's own numbers."""
    camera = shot.camera
    half = STRIDE // 2
    rows = np.concatenate([np.zeros((1, labels.things.shape[1])), labels.things])[labels.thing]
    metres = shot.frame.depth[half::STRIDE, half::STRIDE].astype(np.float32)
    metres = np.where(metres > 0, metres, 100.0).astype(np.float32)
    y, x = np.mgrid[half : camera.height : STRIDE, half : camera.width : STRIDE] + 0.5
    points = camera.backproject(np.stack([x, y], -1), metres).astype(np.float32)
    pixel_m = metres / np.float32(camera.fx)
    fields = {name: np.zeros((count, *labels.name.shape), np.float32) for name, count in FIELDS.items()}
    fields["depth"][0] = np.log(metres * FOCAL / camera.fx)
    centre = (rows[..., CENTER : CENTER + 3] - points) / (CENTRE_PX * pixel_m)[..., None]
    fields["centre"][:] = centre.transpose(2, 0, 1)
    fields["size"][:] = rows[..., SIZE : SIZE + 3].transpose(2, 0, 1)
    fields["turn"][:] = rows[..., TURN : TURN + 2].transpose(2, 0, 1)
    fields["spread"][:] = -4.0
    for name, column in (("color", COLOR), ("material", MATERIAL)):
        told = rows[..., column].astype(int)
        for number in range(FIELDS[name]):
            fields[name][number] = 9.0 * (told == number)
    fields["look"][0] = 1.0
    middles = points + fields["centre"].transpose(1, 2, 0) * (CENTRE_PX * pixel_m)[..., None]
    return Glance(
        labels.name.astype(np.int32), np.ones(labels.name.shape, np.float32), fields, metres, points,
        middles.astype(np.float32), pixel_m, np.array([room == shot.room for room in ROOMS], np.float32),
    )  # fmt: skip
