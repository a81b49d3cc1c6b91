"""Coloured solids on open ground, from pixels and the words for what was done. No model."""

from situ.perception.solids.egomotion import after, level_pose, walked
from situ.perception.solids.eye import SolidEye, SolidWorld

__all__ = ["SolidEye", "SolidWorld", "after", "level_pose", "walked"]
