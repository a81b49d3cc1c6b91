"""The frame table of a video file: when each frame is shown, by the file's own time stamps.

Only packets are read, nothing is decoded but the first frame, so hours take seconds. A frame's number is its
place in the order of showing; its time stamp names it, so a wrong frame can never pass for the right one.
"""

from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat, BadInput

Stamps = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FrameTimes:
    """`stamps` in ticks of the stream, `keys` the numbers of frames that can be decoded alone, `times` in
    seconds from 0 at the first frame."""

    stamps: Stamps
    keys: NDArray[np.int64]
    times: NDArray[np.float64]


def video_times(file: Path) -> FrameTimes:
    try:
        with av.open(str(file)) as container:
            if not container.streams.video:
                raise BadFormat(f"{file} holds no video stream")
            stream = container.streams.video[0]
            first, rows = None, []
            for packet in container.demux(stream):
                if packet.size == 0 or packet.is_discard:
                    continue
                if packet.pts is None:
                    raise BadInput(
                        f"{file} does not say when its frames are shown; write it anew, for instance with "
                        f"`ffmpeg -i {file.name} -c:v libx264 new.mp4`"
                    )
                rows.append((packet.pts, packet.is_keyframe))
            tick = stream.time_base
        with av.open(str(file)) as container:
            first = next((frame.pts for frame in container.decode(video=0) if frame.pts is not None), None)
    except (av.FFmpegError, OSError) as error:
        raise BadFormat(f"{file} cannot be decoded ({error}); it is cut short or not a video") from error
    if first is None or tick is None:
        raise BadFormat(f"{file} holds no frame that can be decoded")
    shown = dict(sorted((pts, key) for pts, key in rows if pts >= first))
    stamps = np.fromiter(shown, np.int64, len(shown))
    keys = np.flatnonzero(np.fromiter(shown.values(), bool, len(shown)))
    # As decoders say times: ticks times the length of one. Both in whole numbers until the one division.
    times = (stamps - first) * tick.numerator / float(tick.denominator)
    return FrameTimes(stamps, keys.astype(np.int64), times)
