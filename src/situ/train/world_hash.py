"""What a world is, whoever walks through it."""

import hashlib
import json

from situ.worlds.scene import Scene, scene_to_json


def world_hash(scene: Scene) -> str:
    """The hash of everything in a world: training worlds and test worlds must share none."""
    return hashlib.sha256(json.dumps(scene_to_json(scene), sort_keys=True).encode()).hexdigest()
