"""The cue ladder: marked frames, a trajectory in words, a bird's-eye picture, and everything in words.

Each cue is computed from a recording and a spatial state. With the truth as the state the cues are right;
with a memory they are what a system believes, so the two can be compared.
"""

from situ.evaluation.cues.birdseye import bird_eye
from situ.evaluation.cues.ladder import CONDITIONS, CueSet, cues_for_row, pair_cues, write_cues
from situ.evaluation.cues.marks import marked_frames
from situ.evaluation.cues.words import full_3d_text, trajectory_text

__all__ = [
    "CONDITIONS",
    "CueSet",
    "bird_eye",
    "cues_for_row",
    "full_3d_text",
    "marked_frames",
    "pair_cues",
    "trajectory_text",
    "write_cues",
]
