"""Cues in words: where the camera went, and where everything is."""

from collections.abc import Sequence

from situ.questions.scene.pairs import sightings_in
from situ.state import ObjectView, SpatialState


def trajectory_text(state: SpatialState, frames: Sequence[int]) -> str:
    """The camera's place in each frame, in metres, z up."""
    lines = ["Camera position in each picture, in metres (x, y on the floor, z up):"]
    for number, frame in enumerate(frames, 1):
        lines.append(f"picture {number}: {position_words(state.path.positions[frame])}")
    return "\n".join(lines)


def position_words(position: Sequence[float]) -> str:
    """A place in metres, z up."""
    x, y, z = position
    return f"x={x:.2f}, y={y:.2f}, z={z:.2f}"


def full_3d_text(state: SpatialState, frames: Sequence[int], things: Sequence[ObjectView] = ()) -> str:
    """Some things with place, size and volume, and the camera's path; without them all that is shown."""
    lines = ["Objects in the pictures (centre x, y, z; length, width, height; volume; pictures):"]
    order = {frame: number for number, frame in enumerate(frames, 1)}
    for view in things or state.objects():
        shown = [str(order[s.frame]) for s in sightings_in(state, view.id, frames)]
        if shown:
            lines.append(f"{describe(view)}; pictures {', '.join(shown)}")
    lines.append("Camera (x, y, z in metres; heading counter-clockwise from +x, in degrees):")
    for number, frame in enumerate(frames, 1):
        heading = state.path.headings[frame]
        lines.append(
            f"picture {number}: x={heading.x:.2f}, y={heading.y:.2f}, z={heading.z:.2f}, "
            f"heading={heading.yaw_deg:.0f}"
        )
    return "\n".join(lines)


def describe(view: ObjectView) -> str:
    """One object in a line."""
    color = view.attributes.get("color", "")
    x, y, z = view.box.center
    length, width, height = view.box.size
    name = f"{color} {view.category}".strip()
    return (
        f"{name}: centre ({x:.2f}, {y:.2f}, {z:.2f}) m; size {length:.2f} x {width:.2f} x {height:.2f} m; "
        f"volume {view.box.volume:.3f} m3"
    )
