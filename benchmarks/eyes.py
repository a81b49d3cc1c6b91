"""Single frames of worlds that a network never saw: what it names, where it puts things, what it makes up.

    python -m benchmarks.eyes --network homes.onnx [--worlds 16] [--frames 24] [--seed 4101] [--of places]
        [--disturbed] [--out FILE.json]

`--of` takes homes (and days, the default), places (with what is put down or stands in the way there) or
fields (of solids). `--disturbed` shows frames in other light, blurred, noisy and compressed.

Worlds come from the split that is never learnt from, of a seed of their own; `--trained FILE` (the list of
hashes that training wrote) proves it. Pixels are those of a 320x240 frame. A true thing is found if some
detection shares 30 % of their joint cells; it is named right if the one that shares most bears its name.
A detection is false if less than half of it lies on one thing, or if that thing has a better one. Glimpses
(`CLEAR_EVIDENCE`) are counted apart. A room is right if the picture's surest room is the camera's.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from situ.errors import BadInput
from situ.perception.homes.channels import NAMES
from situ.perception.homes.instances import CLEAR_EVIDENCE, Instance, instances
from situ.perception.homes.network import Network
from situ.train.eyes.filming import film
from situ.train.eyes.labels import CENTER, COLOR, MATERIAL, NAME, NUMBER, PIXELS, SIZE, Labels, labels_of
from situ.train.eyes.recipe import HELD_OUT
from situ.train.eyes.worlds import MAKERS, build, source_of
from situ.worlds.scene import world_hash

SIZES = (240, 100, 32)
View = dict[int, tuple[int, np.ndarray]]  # name and look of things by number
Disturb = Callable[[np.ndarray], np.ndarray]
FOUND = 0.3


class Tally:
    """What is counted over all frames."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.frames = self.false = self.detections = 0
        self.glimpses = [0, 0]  # on a thing of their name, of all
        self.rooms = [0, 0]
        self.hits: Counter[tuple[int, str]] = Counter()
        self.confused: Counter[tuple[str, str]] = Counter()
        self.by_name: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.depth: list[float] = []
        self.off: list[float] = []
        self.off_per_sigma: list[float] = []
        self.size: list[float] = []
        self.looks: dict[str, list[int]] = {"color": [0, 0], "material": [0, 0]}
        self.cpu: dict[str, list[float]] = {"network": [], "things": []}
        self.same: dict[str, list[int]] = {"anything in view": [0, 0], "namesakes": [0, 0]}

    def frame(self, labels: Labels, metres: np.ndarray, found: list[Instance]) -> View:
        """Count one frame; the looks of things that were named right, by number."""
        self.frames += 1
        self._glimpsed(labels, [thing for thing in found if thing.evidence < CLEAR_EVIDENCE])
        found = [thing for thing in found if thing.evidence >= CLEAR_EVIDENCE]
        self.detections += len(found)
        true_depth = labels.depth.astype(float)
        known = true_depth > 0
        self.depth.append(float(np.median(np.abs(metres - true_depth)[known] / true_depth[known])))
        best: dict[int, tuple[float, Instance]] = {}
        for thing in found:
            inside = np.bincount(labels.thing[thing.cells], minlength=1)
            inside[0] = 0
            row = int(inside.argmax())
            if inside[row] < 0.5 * thing.cells.sum():
                self.false += 1
                continue
            mask = labels.thing == row
            share = float((mask & thing.cells).sum() / (mask | thing.cells).sum())
            if row in best:
                self.false += 1
            if row not in best or share > best[row][0]:
                best[row] = share, thing
        looks: View = {}
        for row in range(1, int(labels.thing.max()) + 1):
            about = labels.things[row - 1]
            share, match = best.get(row, (0.0, None))
            said = match.name if match is not None and share >= FOUND else None
            self._count(about, said)
            if match is not None and said == int(about[NAME]):
                self._measure(about, match)
                looks[int(about[NUMBER])] = (int(about[NAME]), match.look)
        return looks

    def _count(self, about: np.ndarray, said: int | None) -> None:
        true = int(about[NAME])
        for least in SIZES:
            if about[PIXELS] >= least:
                self.hits[least, "of"] += 1
                self.hits[least, "right"] += said == true
                self.hits[least, "found"] += said is not None
        if about[PIXELS] >= 100:
            self.by_name[self.names[true]][1] += 1
            self.by_name[self.names[true]][0] += said == true
            if said != true:
                self.confused[self.names[true], "nothing" if said is None else self.names[said]] += 1

    def _measure(self, about: np.ndarray, match: Instance) -> None:
        off = float(np.linalg.norm(match.middle - about[CENTER : CENTER + 3]))
        self.off.append(off)
        self.off_per_sigma.append(off / match.spread_m)
        self.size.append(float(np.abs(np.log(match.size) - about[SIZE : SIZE + 3]).mean()))
        for part, column, chances in (("color", COLOR, match.color), ("material", MATERIAL, match.material)):
            if about[column] >= 0:
                self.looks[part][0] += int(chances.argmax()) == int(about[column])
                self.looks[part][1] += 1

    def recognise(self, views: list[View]) -> None:
        """Each thing of a view is looked for in the next view that shows it: by its look alone."""
        for i, here in enumerate(views):
            for number, (name, look) in here.items():
                there = next((view for view in views[i + 1 :] if number in view), None)
                if there is None:
                    continue
                for which, rivals in (
                    ("anything in view", list(there)),
                    ("namesakes", [n for n, (other, _) in there.items() if other == name]),
                ):
                    if len(rivals) > 1:
                        nearest = max(rivals, key=lambda n: float(there[n][1] @ look))
                        self.same[which][0] += nearest == number
                        self.same[which][1] += 1

    def _glimpsed(self, labels: Labels, found: list[Instance]) -> None:
        for thing in found:
            inside = np.bincount(labels.thing[thing.cells], minlength=1)
            row = int(inside.argmax())
            self.glimpses[0] += bool(row and int(labels.things[row - 1, NAME]) == thing.name)
            self.glimpses[1] += 1

    def report(self) -> dict[str, Any]:
        def share(pair: list[int]) -> float | None:
            return round(100 * pair[0] / pair[1], 1) if pair[1] else None

        weak = sorted((share(pair) or 0.0, name, pair[1]) for name, pair in self.by_name.items())
        return {
            "frames": self.frames,
            "things": {least: self.hits[least, "of"] for least in SIZES},
            "named_right": {
                least: share([self.hits[least, "right"], self.hits[least, "of"]]) for least in SIZES
            },
            "found": {least: share([self.hits[least, "found"], self.hits[least, "of"]]) for least in SIZES},
            "false_per_frame": round(self.false / self.frames, 3),
            "glimpses_right": [share(self.glimpses), self.glimpses[1]],
            "rooms_right": share(self.rooms),
            "detections_per_frame": round(self.detections / self.frames, 2),
            "depth_off_percent": round(100 * float(np.median(self.depth)), 2),
            "middle_off_m": {
                q: round(float(np.quantile(self.off, q / 100)), 3) for q in (50, 90) if self.off
            },
            "middle_off_over_spread": round(float(np.median(self.off_per_sigma or [0.0])), 2),
            "size_off_percent": round(100 * float(np.median(self.size or [0.0])), 1),
            **{f"{part}_right": share(pair) for part, pair in self.looks.items()},
            "recognised_among": {which: [share(pair), pair[1]] for which, pair in self.same.items()},
            "cpu_ms": {part: round(1000 * float(np.median(spent)), 1) for part, spent in self.cpu.items()},
            "weakest": [[name, hit, count] for hit, name, count in weak if count >= 8][:20],
            "confused": [[true, said, n] for (true, said), n in self.confused.most_common(25)],
        }


def measure(
    file: Path | None,
    worlds: int,
    frames: int,
    seed: int,
    trained: frozenset[str],
    of: str = "homes",
    disturb: Disturb | None = None,
) -> dict[str, Any]:
    network = Network(file)
    _check_names(network)
    tally = Tally(NAMES)
    for number in range(worlds):
        rng = source_of(seed, HELD_OUT, number)
        world = build(rng, of)
        if world_hash(world.scene) in trained:
            raise BadInput(f"world {number} of seed {seed} was learnt from; use another seed")
        views = []
        shots = list(film(world, frames, rng))
        pictures = np.stack([shot.frame.rgb for shot in shots])
        for shot, rgb in zip(shots, disturb(pictures) if disturb else pictures, strict=True):
            before = time.process_time()
            glance = network.glance(rgb, shot.camera)
            between = time.process_time()
            found = instances(glance, network)
            tally.cpu["network"].append(between - before)
            tally.rooms[0] += network.rooms[int(glance.rooms.argmax())] == shot.room
            tally.rooms[1] += shot.room is not None
            tally.cpu["things"].append(time.process_time() - between)
            views.append(tally.frame(labels_of(shot), glance.metres, found))
        tally.recognise(views)
    about = {"network": str(network.file), "seed": seed, "of": of, "disturbed": disturb is not None}
    return {**about, "worlds": worlds, **tally.report()}


def _check_names(network: Network) -> None:
    """Labels are numbers of names: a network may know fewer of them, in the same order."""
    if network.names != NAMES[: len(network.names)]:
        raise BadInput(f"{network.file} numbers its names otherwise; export it again")


def disturbing(seed: int) -> Disturb:
    """Other light, blur, noise and compression, by lot for each frame; needs the extra `teach`."""
    import torch

    from situ.train.eyes.augment import randomised

    lots = torch.Generator().manual_seed(seed)

    def disturb(frames: np.ndarray) -> np.ndarray:
        pictures = torch.from_numpy(frames).permute(0, 3, 1, 2).float() / 255.0
        found: np.ndarray = (randomised(pictures, 0.0, lots).permute(0, 2, 3, 1) * 255.0).byte().numpy()
        return found

    return disturb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--network", type=Path)
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--seed", type=int, default=4101)
    parser.add_argument("--of", choices=list(MAKERS), default="homes")
    parser.add_argument("--disturbed", action="store_true")
    parser.add_argument("--trained", type=Path, help="worlds.txt of the training run")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    trained = frozenset(given.trained.read_text().split()) if given.trained else frozenset()
    disturb = disturbing(given.seed) if given.disturbed else None
    found = measure(given.network, given.worlds, given.frames, given.seed, trained, given.of, disturb)
    text = json.dumps(found, indent=1)
    print(text)
    if given.out:
        given.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
