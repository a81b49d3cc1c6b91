"""Pictures as one video file in memory, for providers that take video: the true rate is in the file."""

import io
from collections.abc import Sequence
from fractions import Fraction

import av
import numpy as np

from situ.recording.codec import decode_jpeg


def encode_clip(jpegs: Sequence[bytes], fps: float) -> bytes:
    """An MP4 file with these pictures at so many frames a second."""
    images = [decode_jpeg(jpeg) for jpeg in jpegs]
    height, width = (size - size % 2 for size in images[0].shape[:2])  # the codec wants even sizes
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"crf": "18"}
        for image in images:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image[:height, :width]), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return target.getvalue()
