"""`situ watch`: a video, an RGB-D sequence or a recording into a memory."""

import shlex
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import typer

from situ.api.watching import Eyes, Watched
from situ.api.watching import watch as watch_into
from situ.cli import watch_options as options
from situ.cli.common import (
    JsonFlag,
    console,
    errors,
    frame_words,
    print_json,
    progress_bars,
    seconds_of,
)
from situ.cli.make_options import Jobs, RunnerName, RunnerOptions
from situ.cli.record_options import fills
from situ.cli.watch_many import LISTS, Running, watch_list
from situ.english import counted
from situ.errors import BadInput
from situ.memory.file.wall_clock import started_at
from situ.perception.models.defaults import DEFAULT, default_names, is_here, offer
from situ.perception.photos.installed import installed_eyes
from situ.perception.plan import WatchPlan
from situ.text_files import read_text

# What may be said of one recording, and of each of a list.
_OF_ONE = ("poses", "estimate_poses", "depth", "imu", "labels", "detections")
_OF_ALL = ("fps", "pose_fps", "width", "fov_deg", "eye_height", "device")


@fills(plan=WatchPlan)
def watch(
    source: options.Source,
    into: options.Into,
    plan: "partial[WatchPlan]",
    models: options.Models = "",
    vocabulary: options.Vocabulary = None,
    names: options.Names = None,
    eyes: options.EyesName = Eyes.AUTO,
    network: options.Network = None,
    append: options.Append = False,
    align: options.Align = None,
    keep: options.Keep = None,
    started: options.Started = None,
    blur: options.Blur = "",
    jobs: Jobs = 0,
    runner: RunnerName = "local",
    runner_options: RunnerOptions = None,
    only: options.Only = "",
    as_json: JsonFlag = False,
) -> None:
    """Turn a video or a recording into a spatial memory that you can ask: one file, readable while it grows.

    Takes RGB or RGB-D, with or without camera poses, with or without detectors. Interrupted? Run the same
    command again: it continues after the last committed frame.

    A list of recordings (LIST.csv or LIST.txt: one path a line, or the columns source and name) becomes a
    folder with one memory each, here or on a cluster. A recording that failed three times is skipped
    and listed; delete its .tries file to try it again.
    """
    if align is not None and not append:
        raise BadInput("--align says where a second recording lies in the memory: give --append too")
    about = plan.keywords
    hidden = [name for name in blur.split(",") if name.strip()]
    chosen = tuple(m.strip() for m in models.split(",") if m.strip())
    if names is not None and str(names) == DEFAULT:
        names, chosen = None, (*chosen, _agreed(as_json))
    if source.suffix in LISTS and source.is_file():
        given = {name: about[name] or None for name in _OF_ONE}
        given |= {"align": align, "started": started, "append": append or None}
        if any(value is not None for value in given.values()):
            wrong = next(name for name, value in given.items() if value is not None).replace("_", "-")
            raise BadInput(f"--{wrong} belongs to one recording; {source} lists several")
        shared = {
            **{name: about[name] for name in _OF_ALL},
            "eyes": eyes.value, "network": network, "models": chosen, "vocabulary": _words(vocabulary),
            "names": names, "blur": hidden, "keep_s": None if keep is None else seconds_of(keep),
        }  # fmt: skip
        running = Running(jobs, runner, tuple(runner_options or ()), only)
        watch_list(source, into, shared, running, as_json)
        return
    if jobs or only or runner != "local" or runner_options:
        raise BadInput("--jobs, --runner and --runner-option are for a list of recordings (.csv or .txt)")
    with progress_bars() as bars:
        watched = watch_into(
            source, into, eyes, align, None if keep is None else seconds_of(keep), hidden,
            None if started is None else started_at(started), network, None if as_json else bars, append,
            models=chosen, vocabulary=_words(vocabulary), names=names, **about,
        )  # fmt: skip
    _print(watched, as_json)
    if not (as_json or watched.fault):
        named = (
            bool(about["labels"] or about["detections"] or chosen or installed_eyes())
            or watched.eyes != Eyes.PIXELS
        )
        for line in _what_is_lacking(watched, source, named):
            console.print(line)
    if watched.fault:
        raise typer.Exit(1)


def _what_is_lacking(watched: Watched, source: Path, named: bool) -> Iterator[str]:
    """What could not be done and what would do it, and the command to go on with."""
    memory = shlex.quote(watched.memory)
    if not named:
        page = f"situ view {shlex.quote(str(source))} --out clicks.html"
        yield (
            "No object has a name, because no detector ran. For 150 names: pip install 'situ[eyes]'. To name "
            f"objects by a click: {page}, then --labels with the file that the page saves."
        )
    if watched.details.get("scale_from") == "unknown":
        yield "Distances are not in metres: the scale is unknown. Pass --eye-height, --depth or --poses."
    question = "what do you see?" if watched.objects and named else "which way did I come?"
    yield f'next: situ ask {memory} "{question}"'


def _agreed(as_json: bool) -> str:
    """The default detector, once somebody has agreed to fetch it."""
    card = default_names()
    if not is_here(card):
        told = offer(card)
        if as_json or not sys.stdin.isatty():
            raise BadInput(
                f"--names would fetch {told}; to agree without being asked, say --models {card.name}"
            )
        if not typer.confirm(f"--names fetches {told}. Once, into the cache of the hub. Go on?", err=True):
            raise BadInput("nothing was fetched; without it things are named by clicks: situ view, --labels")
    return card.name


def _words(file: Path | None) -> tuple[str, ...]:
    if file is None:
        return ()
    lines = read_text(file).splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _print(watched: Watched, as_json: bool) -> None:
    details = watched.details
    if as_json:
        plain = {k: v for k, v in vars(watched).items() if k != "details"}
        print_json({**plain, **details} if details else {k: v for k, v in plain.items() if k != "fault"})
        return
    for note in details.get("notes", ()):
        errors.print(f"note: {note}")
    if details:
        spent = (f"{stage} {t['wall_ms']:.0f} ms x {t['calls']}" for stage, t in details["timings"].items())
        errors.print(f"stages: {', '.join(spent)}")
    rests = f"; {frame_words(details)}" if details else ""
    console.print(
        f"{watched.memory}: {counted(watched.frames, 'frame')} ({watched.new_frames} new), "
        f"{counted(watched.objects, 'object')}{rests}",
    )
    if watched.fault:
        errors.print(
            f"stopped: {watched.fault}. Everything before that is kept; run the same command to go on.",
        )
