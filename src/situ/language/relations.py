"""The words for where one thing is to another, and the relation that each means."""

from situ.language import lexicon as lx
from situ.language.spans import by_first

RELATIONS = by_first(
    {
        "on": "on top of|on top|on|upon|atop|onto",
        "inside": "inside of|inside|in|within|into",
        "under": "under|underneath|below|beneath",
        "above": "above|over",
        "near": "next to|close to|near to|near from|near of|close from|near|nearby|beside|by|close by|around"
        "|adjacent to|in the vicinity of|alongside|at",
        "left": "to the left of|on the left of|left of|to the left side of|on the left side of|at left of"
        "|at the left of|left from|to the left from|on the left from",
        "right": "to the right of|on the right of|right of|to the right side of|on the right side of"
        "|at right of|at the right of|right from|to the right from|on the right from",
        "front": "in front of|ahead of",
        "behind": "behind|at the back of|in back of",
    }
)
SIDES = by_first(
    {
        "front": "in front of me|in front of us|in front|ahead of me|ahead of us|ahead|straight ahead"
        "|before me"
        "|right in front of me|in front of my nose",
        "behind": "behind me|behind us|behind my back|at my back|behind|in back of me",
        "left": "on my left|to my left|on my left side|on my left hand side|to the left of me|left of me"
        "|on the left"
        "|to the left|at my left|on the left side|to my left side|on the left hand side|to my left hand",
        "right": "on my right|to my right|on my right side|on my right hand side|to the right of me"
        "|right of me"
        "|on the right|to the right|at my right|on the right side|to my right side|on the right hand side"
        "|to my right hand",
        "near": "near me|nearby|near by|close by|close to me|around me|near here|next to me|beside me"
        "|around here"
        "|near us|close|near|by me|next to us|close to here",
        "reach": "within reach|in reach|within my reach|in my reach|at hand|within arm's reach|within grasp"
        "|reachable|at arm's length|to hand|where i can reach it|where i can reach them",
        "inview": "in view|in sight|visible|in my view|in front of my eyes|in the picture|on camera|on"
        " screen",
        "not reach": "out of reach|out of my reach|beyond reach|beyond my reach|not reachable",
        "not inview": "out of sight|out of view|hidden|not visible|invisible",
        "not near": "far away|far|far from me|far off|far from here|a long way off",
        "here": "here|in here|in this room|in the room|in this place|in the same room as me|in the same room"
        "|in my room|with me in the room|in the current room|in the room with me|in the room that i am in",
        "all": "in this house|in this flat|in this building|"
        "in the house|at home|in the building|in the flat|in the apartment|in the whole house|anywhere"
        "|in the whole building|in the entire building|around|in the world|in the place|left over|in"
        " total|left"
        "|in the entire house|in the scene|in the environment",
        "there": "there|in there|over there|in it|in that room",
        "outside": "outside|outdoors|out of doors|in the open",
        "kept": "still there|where i left it|where i put it|where i left them|where i put them|in its"
        " place|in place"
        "|in the same place|in the same spot|at its place|where it was|where they were|on its place"
        "|still in place"
        "|where it belongs|untouched",
    }
)
POSTURES = lx.words(
    "lying standing sitting hanging located placed positioned situated resting stored kept leaning"
    " stacked piled parked"
)
OPPOSITE = {"left": "right", "right": "left"}
# A side without saying of what: "on the left", "behind".
BARE_SIDES = {
    " ".join(parts).removesuffix(" of"): meaning
    for rows in RELATIONS.values()
    for parts, meaning in rows
    if meaning in OPPOSITE
}
