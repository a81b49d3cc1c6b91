# %% [markdown]
"""Watch a recording into a memory and ask it. Give your own video as the first argument."""

# %%
import sys
from pathlib import Path

import situ

given = [word for word in sys.argv[1:] if Path(word).exists()]  # a notebook has arguments of its own
if given:
    source = Path(given[0])
else:  # a generated walk, so that the script runs as it stands
    walks = situ.make("rem", "walks", variant="mini", scale=0.05, seed=2, width=480, height=320)
    source = walks.recording(walks.items[0]).folder

watched = situ.watch(source, "walk.situ")
print(f"{watched.frames} frames, {watched.objects} things, seen by: {watched.eyes}")

# %% [markdown]
# The memory is one file. A conversation remembers what was spoken of: "it" is the thing of the answer before.

# %%
with situ.Memory.open("walk.situ", read_only=True) as memory:
    talk = memory.conversation()
    for sentence in (
        "what is around me?",
        "what is the nearest thing?",
        "how far is it?",
        "which way did I come?",
    ):
        print(f"- {sentence}\n  {talk.ask(sentence).text}")
