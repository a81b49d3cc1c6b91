"""A queue of a long stream in a browser: `python -m benchmarks.annotate hours=3 kills=30`.

hours: a stream of so many hours at 30 frames a second, with 2,000 questions that make 30,000 marks; how long
its queue takes to make, how long the page takes until the first frame and the list are there, seeks, and
drawings of the timeline by its clock. kills: people who save without a pause are killed (kill -9)
so many times; a figure that is not 0 under "lost", "torn" or "holes" is a fault. Prints one line of
JSON for each.
"""

import io
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from situ.annotate.annotation import Annotation
from situ.annotate.make import make_queue
from situ.annotate.store import Deed, Store

RATE, WIDTH, HEIGHT, GROUP = 30, 64, 48, 250
QUESTIONS, SPANS = 2000, 14


def long_film(file: Path, hours: int) -> Path:
    """One group of pictures is encoded and written again and again, later each time: hours take seconds."""
    with av.open(str(file), "w") as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, RATE)
        stream.options = {"preset": "ultrafast", "x264-params": f"keyint={GROUP}:scenecut=0"}
        plane = np.zeros((HEIGHT * 3 // 2, WIDTH), np.uint8) + 128
        group = []
        for number in range(GROUP):
            plane[:HEIGHT] = (number * 7) % 200
            frame = av.VideoFrame.from_ndarray(plane, format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            group += stream.encode(frame)
        group += stream.encode(None)
        kept = [(bytes(packet), packet.pts, packet.is_keyframe) for packet in group]
        for later in range(0, hours * 3600 * RATE, GROUP):
            for data, pts, key in kept:
                packet = av.Packet(data)
                packet.pts = packet.dts = pts + later
                packet.time_base, packet.stream, packet.is_keyframe = Fraction(1, RATE), stream, key
                container.mux(packet)
    return file


def hours(count: int, folder: Path) -> dict[str, Any]:
    film = long_film(folder / "walk.mp4", count)
    began, cpu = time.perf_counter(), time.process_time()
    store, _ = make_queue([film], folder / "q.annotate")
    made = {"make_s": time.perf_counter() - began, "make_cpu_s": time.process_time() - cpu}
    rng = np.random.default_rng(1)
    end = count * 3600.0
    items = []
    for number in range(QUESTIONS):
        starts = np.sort(rng.uniform(0, end - 60, SPANS))
        spans = tuple((float(s), float(s) + 2.0) for s in starts)
        text = f"Where is thing {number} relative to you?"
        items.append(Annotation(f"q{number:05d}", "walk", text, time=float(starts[-1]) + 30, spans=spans))
    store.add_many(items, "")
    store.close()
    return {**made, **_looked_at(folder / "q.annotate", count)}


def _looked_at(queue: Path, count: int) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    from situ.serve.annotate_app import with_people
    from situ.serve.annotate_queues import Queues
    from situ.serve.app import Settings, build
    from situ.serve.journal import Journal
    from situ.serve.library import Library
    from situ.serve.limits import Limits
    from situ.serve.run import bind, server_of

    listening = bind("127.0.0.1", 0)
    settings = Settings(limits=with_people(Limits()), journal=Journal(io.StringIO()))
    app = build(Library((), may_be_empty=True), settings, queues=Queues([queue]))
    server = server_of(app, settings.limits.max_body)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/annotate/q"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"], timeout=120_000
        )
        opened = []
        for _ in range(5):
            page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
            page.set_default_timeout(120_000)
            page.add_init_script("localStorage.setItem('situ-annotator', 'Ada')")
            began = time.perf_counter()
            page.goto(address)
            page.locator("canvas.screen[data-frame]").wait_for()
            page.get_by_role("list", name="questions").get_by_role("button").first.wait_for()
            opened.append(time.perf_counter() - began)
        wanted = np.random.default_rng(2).integers(0, count * 3600 * RATE, 30).tolist()
        seeks = page.evaluate(SEEKS, wanted)
        drawing, marks = page.evaluate(DRAW)
        browser.close()
    server.should_exit = True
    thread.join(20)
    return {
        "opened_s": [round(s, 2) for s in opened], "seek_ms_median": float(np.median(seeks)),
        "seek_ms_p95": float(np.percentile(seeks, 95)), "drawing_ms": drawing, "marks": marks,
    }  # fmt: skip


SEEKS = """async (wanted) => {
  const spent = [];
  for (const n of wanted) {
    const began = performance.now();
    await window.situPlayer.show(n);
    spent.push(performance.now() - began);
  }
  return spent;
}"""
DRAW = """() => {
  const line = window.situMarks, pen = line.canvas.getContext("2d"), began = performance.now();
  for (let i = 0; i < 60; i++) { line.show({ at: i }); pen.getImageData(0, 0, 1, 1); }
  return [(performance.now() - began) / 60, line.from.length];
}"""


def _save(path: Path, by: str, told: Any) -> None:
    store = Store.open(path)
    for number in range(10**9):
        change = {"answer": f"{by} {number}", "question": f"{by} {number}"}
        told.send(store.change("q", change, Deed(by)).version)


def kills(count: int, folder: Path) -> dict[str, Any]:
    store = Store.create(folder / "q.annotate", {})
    store.add_many([Annotation("q", "walk")], "")
    rng = np.random.default_rng(3)
    context = multiprocessing.get_context("fork")
    lost = torn = holes = 0
    for _ in range(count):
        ear, mouth = context.Pipe(False)
        person = context.Process(target=_save, args=(store.path, "Ada", mouth))
        person.start()
        last = ear.recv()
        time.sleep(float(rng.uniform(0, 0.3)))
        os.kill(person.pid or 0, signal.SIGKILL)
        person.join()
        while ear.poll():
            last = ear.recv()
        found = Store.open(store.path)
        item = found.get("q")
        lost += item.version < last  # it was told that this version is kept
        torn += item.annotation.answer != item.annotation.question
        holes += [line.version for line in found.log("q")] != list(range(1, item.version + 1))
        found.close()
    return {"kills": count, "versions": store.get("q").version, "lost": lost, "torn": torn, "holes": holes}


_PARTS = {"hours": (hours, 3), "kills": (kills, 30)}


def main(arguments: list[str]) -> None:
    for part in arguments or list(_PARTS):
        name, _, count = part.partition("=")
        if name not in _PARTS:
            sys.exit(f"no part named {name}; there are {', '.join(_PARTS)}")
        run, usual = _PARTS[name]
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps({name: run(int(count or usual), Path(folder))}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
