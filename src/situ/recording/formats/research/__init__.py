"""Recordings that laboratories publish: Aria, HoloLens, ScanNet, TUM RGB-D and other posed pictures."""
