"""How likely a name is right, by its score: two numbers, found in the style that is never trained on."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize

from situ.geometry.camera import Camera
from situ.perception.homes.instances import instances
from situ.perception.photos.channels import WORDS
from situ.perception.photos.network import PhotoNetwork
from situ.train.eyes.labels import NAME
from situ.train.photos.augment import Lots, in_another_style, viewed
from situ.train.photos.recipe import HELD_OUT, PhotoRecipe
from situ.train.photos.store import PhotoStore
from situ.train.photos.stream import Pages, render_photos

FIRST_WORLD = 100  # those before are looked at while a network is trained
_MOST_SCORE = 0.98  # a score of one would have infinite odds


def calibrate(file: Path, recipe: PhotoRecipe) -> tuple[float, float]:
    """Write into a network what its scores mean: a and b of `log odds = a + b * log odds of the score`."""
    import onnx

    scored = np.array(list(_scored(PhotoNetwork(file), recipe))).reshape(-1, 2)
    found = fitted(scored[:, 0], scored[:, 1] > 0)
    model = onnx.load(str(file))
    entry = next(entry for entry in model.metadata_props if entry.key == "situ")
    entry.value = json.dumps({**json.loads(entry.value), "calibration": found})
    part = file.with_suffix(".part")
    part.write_bytes(model.SerializeToString())
    part.replace(file)
    return found


def fitted(scores: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, float]:
    """The most likely `a` and `b`; 0 and 1, which change nothing, of no scores."""
    odds = log_odds(np.clip(scores, 1 - _MOST_SCORE, _MOST_SCORE))
    sign = np.where(right, 1.0, -1.0)

    def cost(at: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0.0, -sign * (at[0] + at[1] * odds)).sum())

    a, b = minimize(cost, np.array([0.0, 1.0])).x
    return float(a), float(b)


def log_odds(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(chance / (1.0 - chance)))


def _scored(network: PhotoNetwork, recipe: PhotoRecipe) -> Iterator[tuple[float, float]]:
    """Of each object that the network reports its score, and whether most of it shows one of that name."""
    pages = Pages(recipe.held_frames, recipe.width, recipe.height)
    for number in range(FIRST_WORLD, FIRST_WORLD + recipe.held_worlds):
        store = PhotoStore(1, pages, "cpu")
        store.take(render_photos(recipe.seed, HELD_OUT, number, pages))
        frames = store.frames(np.arange(store.count))
        views, surface = viewed(frames, recipe.width, recipe.height, Lots("cpu", 0), still=True)
        pictures = in_another_style(views.picture, surface, views.focal).permute(0, 2, 3, 1)
        for i, rgb in enumerate((pictures * 255).round().to(torch.uint8).numpy()):
            focal, thing = float(views.focal[i]), views.thing[i].numpy()
            middle = recipe.width / 2, recipe.height / 2
            camera = Camera(recipe.width, recipe.height, focal, focal, *middle)
            for found in instances(network.glance(np.ascontiguousarray(rgb), camera), network):
                rows = np.bincount(thing[found.cells])
                row = int(rows.argmax())
                shows = row > 0 and 2 * rows[row] > found.cells.sum()
                name = WORDS[int(views.things[i, row - 1, NAME])] if shows else ""
                yield found.score, float(name == network.names[found.name])
