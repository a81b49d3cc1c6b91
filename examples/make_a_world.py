# %% [markdown]
"""Make a world: a home from a seed, a picture of it, and a question whose answer is exact."""

# %%
from collections import Counter

import cv2

import situ

home = situ.home(seed=4)
kinds = Counter(thing.category for thing in home.objects)
print("rooms:", ", ".join(room.name for room in home.plan.rooms))
print("things:", ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(8)))

# %% [markdown]
# A camera in the middle of the first room, at the height of a person's eyes. Depth and object ids come with
# the picture, and they are exact.

# %%
camera = situ.Camera.from_fov(640, 480, 90)
x, y = home.plan.rooms[0].area.center[:2]
frame = situ.render(home.scene, camera, situ.camera_pose((x, y, 1.6), yaw_deg=45, pitch_deg=-10))
cv2.imwrite("room.jpg", frame.rgb[:, :, ::-1])
print("room.jpg: depth from", round(float(frame.depth[frame.depth > 0].min()), 2), "m")

# %% [markdown]
# The same truth as a question set: recordings, questions and keys.

# %%
homes = situ.make("disjoint", "homes", scale=0.0006, seed=4, width=320, height=240)
for row in homes.questions[:3]:
    print(f"{row.text}  {' / '.join(row.options)}  key: {row.answer}")
