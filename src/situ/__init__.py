"""Spatial intelligence for first-person video.

A question is a small program over a spatial state. Run on the truth it gives the answer key; run on a
memory built from pixels it gives the system's answer.
"""

__version__ = "0.1.0"
