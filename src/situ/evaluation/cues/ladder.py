"""The conditions of the ladder, for a question or for any two objects."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from situ.benchmarks.dataset import QuestionRow, write_atomically
from situ.benchmarks.disjoint.wording import objects_of
from situ.errors import BadInput, Unanswerable
from situ.evaluation.cues.birdseye import bird_eye
from situ.evaluation.cues.marks import marked_frames
from situ.evaluation.cues.words import full_3d_text, position_words, trajectory_text
from situ.questions.programs.named import one_object
from situ.questions.scene.pairs import sightings_in
from situ.recording import Recording
from situ.recording.codec import Rgb, encode_jpeg
from situ.state import ObjectView, SpatialState, TruthState, Visibility

UNMARKED, MARKED, TRAJECTORY, BEV, FULL_3D = CONDITIONS = (
    "unmarked",
    "marked",
    "trajectory",
    "bev",
    "full3d",
)
MOST_FRAMES = 12
CIRCLES = "Red circles mark the objects that the question names."


@dataclass(frozen=True, eq=False)
class CueSet:
    """What a participant is given besides the question: the camera's pictures in order, words, words before
    each picture, and a picture from above, which is no picture of the camera."""

    condition: str
    pictures: tuple[Rgb, ...]
    text: str = ""
    above: Rgb | None = None
    legend: str = ""
    captions: tuple[str, ...] = ()


def cues_for_row(
    recording: Recording, row: QuestionRow, condition: str, state: SpatialState | None = None
) -> CueSet:
    """The cues of one condition for a question: all but the first mark what it names, and add one cue each.

    `state` is the truth unless another one is given.
    """
    known = state or truth_of(recording)
    frames = tuple(int(frame) for frame in row.program.get("frames", ())) or tuple(range(len(recording)))
    things = [one_object(known, which) for which in objects_of(row.question)]
    return pair_cues(recording, known, things, frames, condition)


def truth_of(recording: Recording) -> TruthState:
    """The truth by the recording's own rule for what counts as seen, where it states one."""
    return TruthState.of(recording, visibility_of(recording))


def visibility_of(recording: Recording) -> Visibility | None:
    """The recording's own rule for what counts as seen; None where it states none."""
    rule = recording.meta.get("visibility")
    return Visibility(**rule) if rule else None


def pair_cues(
    recording: Recording,
    state: SpatialState,
    things: Sequence[ObjectView],
    frames: Sequence[int],
    condition: str,
) -> CueSet:
    """The cues of one condition for some objects in some frames."""
    if condition not in CONDITIONS:
        raise BadInput(f"unknown condition '{condition}'; choose one of {', '.join(CONDITIONS)}")
    if condition == UNMARKED:
        return CueSet(condition, tuple(recording.images(list(frames))))
    pictures = marked_frames(recording, state, things, frames)
    if condition == MARKED:
        return CueSet(condition, pictures, CIRCLES)
    if condition == TRAJECTORY:
        places = (position_words(state.path.positions[frame]) for frame in frames)
        captions = tuple(f"Picture {n}, taken from {place}:" for n, place in enumerate(places, 1))
        text = f"{CIRCLES} Places are those of the camera, in metres, z up."
        return CueSet(condition, pictures, text, captions=captions)
    if condition == FULL_3D:
        return CueSet(condition, pictures, f"{CIRCLES}\n{full_3d_text(state, frames, things)}")
    above = bird_eye(recording, state, things, frames)
    legend = (
        "This picture shows the scene from above: outlines are the objects named, magenta arrows the "
        "camera's way from the green triangle to the blue cross."
    )
    return CueSet(condition, pictures, CIRCLES, above, legend)


def find_thing(state: SpatialState, phrase: str) -> ObjectView:
    """The object that a phrase such as "red vase" or "vase" names."""
    words = phrase.strip().lower()
    choices = [
        view
        for view in state.objects()
        if words in (view.category, f"{view.attributes.get('color', '')} {view.category}".strip())
    ]
    if len(choices) == 1:
        return choices[0]
    known = ", ".join(sorted({view.category for view in state.objects()})[:12])
    raise Unanswerable(f"'{phrase}' names {len(choices)} of the objects seen, not one; seen are {known} ...")


def pair_frames(state: SpatialState, first: ObjectView, second: ObjectView) -> tuple[int, ...]:
    """Frames from a clear view of one object to one of the other, evenly spread, none with both."""
    seen = [{s.frame for s in state.sightings(thing.id)} for thing in (first, second)]
    clear = [
        [s.frame for s in sightings_in(state, thing.id, ()) if s.clarity == 1.0] for thing in (first, second)
    ]
    pairs = [(a, b) for a in clear[0] if a not in seen[1] for b in clear[1] if b not in seen[0]]
    if not pairs:
        raise Unanswerable(
            f"the {first.category} and the {second.category} have no frames of their own: they are always "
            "seen together, or one is never seen clearly"
        )
    nearest = min(pairs, key=lambda pair: (abs(pair[0] - pair[1]), pair))
    start, end = min(nearest), max(nearest)
    usable = [f for f in range(start, end + 1) if f not in seen[0] & seen[1]]
    count = min(MOST_FRAMES, len(usable))
    picks = sorted({round(i * (len(usable) - 1) / max(1, count - 1)) for i in range(count)})
    return tuple(usable[i] for i in picks)


def write_cues(
    recording: Recording, first: str, second: str, out: Path, state: SpatialState | None = None
) -> list[Path]:
    """All cues for a pair of objects as files: marked frames, trajectory, picture from above, full 3D."""
    known = state or truth_of(recording)
    things = [find_thing(known, first), find_thing(known, second)]
    frames = pair_frames(known, *things)
    out.mkdir(parents=True, exist_ok=True)
    cues = pair_cues(recording, known, things, frames, BEV)
    files = {f"frame_{frame:06d}.jpg": encode_jpeg(p) for frame, p in zip(frames, cues.pictures, strict=True)}
    assert cues.above is not None
    files["birds_eye.jpg"] = encode_jpeg(cues.above)
    files["trajectory.txt"] = (trajectory_text(known, frames) + "\n").encode()
    files["full_3d.txt"] = (full_3d_text(known, frames) + "\n").encode()
    for name, content in files.items():
        write_atomically(out / name, content)
    return [out / name for name in files]
