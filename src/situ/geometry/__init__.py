"""Geometry: poses, cameras, the heading frame, boxes and routes. Pure functions without I/O.

Conventions (see docs/conventions.md): camera axes are OpenCV's (x right, y down, z forward); the world is
right-handed, z up, in metres; poses are `T_world_camera`; `yaw_deg` is counter-clockwise from +x seen from
above; `bearing_deg` is 0 ahead and positive to the right.
"""
