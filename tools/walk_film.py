"""The moving picture of README: a walk, a question, and the frame and the direction that answer it.

python tools/walk_film.py OUT.gif        needs pillow (the extra `hub`)
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import situ

QUESTION = "where is the blue sphere?"
WIDE, HIGH = 330, 220  # pixels of a frame of the walk
MAP, LINE = 220, 34  # sides of the map; height of the line below
BACK, INK, SOFT, HIT = (250, 250, 248), (34, 38, 46), (150, 156, 166), (214, 60, 40)


def film(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rem = situ.make("rem", f"{folder}/rem", variant="mini", scale=0.1, seed=0, width=480, height=320)
        walk = rem.recording("000001")
        situ.watch(walk.folder, f"{folder}/walk.situ")
        with situ.Memory.open(f"{folder}/walk.situ", read_only=True) as memory:
            pictures, times = draw(walk, memory)
    pictures[0].save(out, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=True)


def draw(walk: situ.Recording, memory: situ.Memory) -> tuple[list[Image.Image], list[int]]:
    """Pictures, and milliseconds that each is shown."""
    end = memory.state()
    places = {view.id: (view.box.center[:2], colour_of(view)) for view in end.objects()}
    here = memory.state()
    way = np.array([(h.x, h.y) for h in here.path.headings])
    corners = np.vstack([way, [place for place, _ in places.values()]])
    low, span = corners.min(0) - 1.0, np.ptp(corners, axis=0).max() + 2.0
    shown: list[Image.Image] = []
    times: list[int] = []

    def add(index: int, words: str, hit: int | None, wait: int, ink: tuple[int, int, int] = INK) -> None:
        page = Image.new("RGB", (WIDE + MAP + 18, HIGH + LINE + 12), BACK)
        page.paste(frame_of(walk, index, hit), (6, 6))
        page.paste(map_of(min(index, len(way) - 1) if hit is None else len(way) - 1, hit), (WIDE + 12, 6))
        ImageDraw.Draw(page).text((10, HIGH + 16), words, fill=ink, font=font(16))
        shown.append(page.quantize(96, dither=Image.Dither.NONE))
        times.append(wait)

    def map_of(last: int, hit: int | None) -> Image.Image:
        scale = 2  # drawn twice as large, for smooth lines
        side = Image.new("RGB", (MAP * scale, MAP * scale), (240, 241, 238))
        pen = ImageDraw.Draw(side)

        def at(xy: np.ndarray) -> tuple[float, float]:
            x, y = (np.asarray(xy) - low) / span * MAP * scale
            return float(x), float(MAP * scale - y)

        now = memory.state(float(here.path.times[last]))
        for view in now.objects():
            x, y = at(view.box.center[:2])
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=colour_of(view), outline=INK)
        if last:
            pen.line([at(xy) for xy in way[: last + 1]], fill=INK, width=4)
        x, y = at(way[last])
        turn = np.radians(here.path.headings[last].yaw_deg)
        nose = [(x + 18 * np.cos(turn + a), y - 18 * np.sin(turn + a)) for a in (0.0, 2.5, -2.5)]
        pen.polygon(nose, fill=INK)
        if hit is not None:
            tip = at(places[hit][0])
            pen.line([(x, y), tip], fill=HIT, width=5)
            pen.ellipse((tip[0] - 16, tip[1] - 16, tip[0] + 16, tip[1] + 16), outline=HIT, width=5)
        return side.resize((MAP, MAP), Image.Resampling.LANCZOS)

    for index in range(len(walk)):
        add(index, "A walk, remembered frame by frame", None, 160, SOFT)
    last = len(walk) - 1
    for letters in range(4, len(QUESTION) + 1, 3):
        add(last, f"> {QUESTION[:letters]}", None, 90)
    add(last, f"> {QUESTION}", None, 600)
    told = memory.ask(QUESTION)
    meant = next(view.id for view in end.objects() if is_meant(view))
    add(told.evidence[0], told.text, meant, 4500, HIT)
    return shown, times


def frame_of(walk: situ.Recording, index: int, hit: int | None) -> Image.Image:
    picture = Image.fromarray(walk.image(index))
    if hit is not None:  # an outline round the blue sphere
        number = next(number for number, record in walk.objects.items() if is_meant(record))
        rows, columns = np.nonzero(walk.ids(index) == number)
        box = (columns.min() - 6, rows.min() - 6, columns.max() + 6, rows.max() + 6)
        ImageDraw.Draw(picture).rectangle(box, outline=HIT, width=4)
    return picture.resize((WIDE, HIGH), Image.Resampling.LANCZOS)


def is_meant(thing: Any) -> bool:
    return (thing.category, thing.attributes.get("color")) == ("sphere", "blue")


def colour_of(view: Any) -> tuple[int, int, int]:
    names = {
        "red": (200, 60, 50), "blue": (60, 90, 210), "green": (70, 150, 80), "yellow": (225, 195, 60),
        "orange": (230, 140, 50), "purple": (140, 80, 170), "white": (250, 250, 250), "black": (40, 40, 40),
    }  # fmt: skip
    return names.get(view.attributes.get("color", ""), (170, 170, 170))


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


if __name__ == "__main__":
    film(Path(sys.argv[1]))
