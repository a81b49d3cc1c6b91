"""Tables, shelves and cupboards. Fronts face -y."""

import numpy as np

from situ.worlds.furniture.kind import (
    ANY,
    BATH,
    BED,
    DINING,
    GARDEN,
    GYM,
    HALL,
    KIDS,
    KITCHEN,
    LAUNDRY,
    LIVING,
    STUDY,
    Kind,
)
from situ.worlds.furniture.paint import (
    APPLIANCE,
    BRIGHT,
    CLOTH,
    PAINTS,
    TIMBER,
    boards,
    chequered,
    cloth,
    grooved,
    seed_of,
    shade,
    tiled,
    timber,
)
from situ.worlds.props import indoor
from situ.worlds.props.shapes import DARK_METAL, METAL, box, cylinder, legs, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]


@Kind("dining table", "floor", (DINING, GARDEN), "eating meals", TIMBER, "wood", top=0, flat=True)
def dining_table(rng: np.random.Generator, color: Vec3) -> Parts:
    width, depth = float(rng.uniform(1.4, 2.0)), float(rng.uniform(0.8, 0.95))
    wood = timber(color, seed_of(rng))
    return (
        box((width, depth, 0.05), (0, 0, 0.7), wood),
        *legs(width, depth, 0.7, 0.08, wood),
        box((width - 0.2, depth - 0.2, 0.08), (0, 0, 0.62), wood),
    )


@Kind("coffee table", "floor", (LIVING,), "putting drinks on", TIMBER, "wood", top=0, flat=True)
def coffee_table(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(0.9, 1.3))
    wood = timber(color, seed_of(rng))
    return (
        box((width, 0.6, 0.05), (0, 0, 0.38), wood),
        *legs(width, 0.6, 0.38, 0.06, wood),
        box((width - 0.14, 0.46, 0.03), (0, 0, 0.12), wood),
    )


@Kind(
    "side table",
    "wall",
    (LIVING, HALL, BED, GARDEN),
    "keeping small things near",
    CLOTH,
    "metal",
    top=0,
    flat=True,
)
def side_table(rng: np.random.Generator, color: Vec3) -> Parts:
    across = float(rng.uniform(0.4, 0.55))
    return (
        cylinder(across, 0.03, (0, 0, 0.52), plain(color, 0.3)),
        cylinder(0.05, 0.5, (0, 0, 0.02), plain(shade(color, 0.8), 0.2)),
        cylinder(across * 0.7, 0.03, (0, 0, 0), plain(shade(color, 0.8), 0.2)),
    )


@Kind("desk", "wall", (STUDY, KIDS), "writing and working", TIMBER, "wood", top=0, flat=True)
def desk(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(1.1, 1.6))
    wood, white = timber(color, seed_of(rng)), plain(PAINTS["white"])
    x = width / 2 - 0.24
    return (
        box((width, 0.65, 0.04), (0, 0, 0.7), wood),
        box((0.42, 0.58, 0.6), (x, 0.02, 0.1), wood),
        *(box((0.38, 0.02, 0.17), (x, -0.28, z), white) for z in (0.12, 0.31, 0.5)),
        *(box((0.12, 0.03, 0.02), (x, -0.3, z), plain(DARK_METAL)) for z in (0.2, 0.39, 0.58)),
        *(box((0.05, 0.05, 0.7), (-width / 2 + 0.05, s * 0.28, 0), wood) for s in (-1, 1)),
    )


@Kind("nightstand", "wall", (BED, KIDS), "keeping things by the bed", TIMBER, "wood", top=0, flat=True)
def nightstand(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = timber(color, seed_of(rng))
    return (
        box((0.45, 0.4, 0.5), (0, 0, 0.05), chequered(color)),
        *(box((0.4, 0.02, 0.2), (0, -0.205, z), plain(shade(color, 1.3))) for z in (0.08, 0.31)),
        *(box((0.1, 0.03, 0.02), (0, -0.225, z), plain(DARK_METAL)) for z in (0.18, 0.41)),
        *legs(0.45, 0.4, 0.05, 0.05, wood),
    )


@Kind("dresser", "wall", (BED, HALL), "storing folded clothes", TIMBER, "wood", top=0, flat=True)
def dresser(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(0.9, 1.4))
    wood = boards(color, 0.2, seed_of(rng))
    faces = [
        box((width / 2 - 0.06, 0.02, 0.2), (s * width / 4, -0.23, z), plain(shade(color, 1.25)))
        for s in (-1, 1)
        for z in (0.1, 0.34, 0.58)
    ]
    knobs = [
        Part("sphere", (0.04, 0.04, 0.04), (s * width / 4, -0.25, z), plain(METAL, 0.6))
        for s in (-1, 1)
        for z in (0.2, 0.44, 0.68)
    ]
    return (box((width, 0.45, 0.8), (0, 0, 0.05), wood), *legs(width, 0.42, 0.05, 0.06, wood), *faces, *knobs)


@Kind("wardrobe", "wall", (BED, KIDS), "hanging clothes", TIMBER, "wood", flat=True)
def wardrobe(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(1.0, 1.8))
    wood, face = timber(color, seed_of(rng)), timber(shade(color, 1.3), seed_of(rng))
    doors = 2 if width < 1.4 else 3
    each = width / doors
    middles = [(k - (doors - 1) / 2) * each for k in range(doors)]
    return (
        box((width, 0.58, 2.05), (0, 0, 0), wood),
        *(box((each - 0.03, 0.02, 1.9), (x, -0.3, 0.1), face) for x in middles),
        *(box((0.02, 0.03, 0.25), (x + each * 0.36, -0.32, 0.95), plain(METAL, 0.5)) for x in middles),
        box((width + 0.04, 0.62, 0.05), (0, 0, 2.05), wood),
    )


@Kind("bookshelf", "wall", (LIVING, STUDY, KIDS), "storing books", ("brown",), "wood", named=False)
def bookshelf(rng: np.random.Generator, color: Vec3) -> Parts:
    return indoor.bookshelf(rng, float(rng.uniform(0.8, 1.2)), float(rng.choice([1.3, 1.7, 2.05])))


@Kind(
    "cabinet",
    "wall",
    (KITCHEN, BATH, DINING, LAUNDRY, GYM, GARDEN),
    "storing things",
    CLOTH,
    "wood",
    top=0,
    flat=True,
)
def cabinet(rng: np.random.Generator, color: Vec3) -> Parts:
    width, height = float(rng.uniform(0.8, 1.2)), float(rng.uniform(0.8, 1.1))
    body, face = grooved(color), grooved(shade(color, 1.35))
    return (
        box((width, 0.42, height), (0, 0, 0.04), body),
        *(box((width / 2 - 0.04, 0.02, height - 0.1), (s * width / 4, -0.22, 0.09), face) for s in (-1, 1)),
        *(
            Part("sphere", (0.04, 0.04, 0.04), (s * 0.06, -0.24, height * 0.55), plain(DARK_METAL))
            for s in (-1, 1)
        ),
        box((width, 0.4, 0.04), (0, 0, 0), plain(DARK_METAL)),
    )


@Kind("tv stand", "wall", (LIVING, GYM), "carrying a television", TIMBER, "wood", top=0, flat=True)
def tv_stand(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(1.2, 1.7))
    wood = grooved(color, 0.04, seed_of(rng))
    return (
        box((width, 0.4, 0.04), (0, 0, 0.44), wood),
        box((width, 0.4, 0.04), (0, 0, 0.05), wood),
        box((width, 0.03, 0.4), (0, 0.185, 0.06), wood),
        *(box((0.04, 0.4, 0.4), (x, 0, 0.06), wood) for x in (-width / 2 + 0.02, 0.0, width / 2 - 0.02)),
        box((width / 3, 0.02, 0.33), (width / 4, -0.19, 0.09), plain(shade(color, 1.4))),
        *legs(width, 0.38, 0.05, 0.05, plain(DARK_METAL)),
    )


@Kind("shoe rack", "wall", (HALL,), "keeping shoes", TIMBER, "wood", top=0, flat=True)
def shoe_rack(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = textured("fabric", color, scale=0.06, seed=seed_of(rng))
    shoes = [
        box((0.09, 0.24, 0.08), (x + d, 0, z), plain(PAINTS[name]))
        for z, name in ((0.08, "black"), (0.34, "red"))
        for x in (-0.2, 0.15)
        for d in (-0.06, 0.06)
    ]
    return (
        box((0.8, 0.3, 0.03), (0, 0, 0.56), wood),
        *(box((0.8, 0.3, 0.02), (0, 0, z), wood) for z in (0.05, 0.31)),
        *(box((0.03, 0.3, 0.56), (s * 0.385, 0, 0), wood) for s in (-1, 1)),
        *shoes,
    )


@Kind("coat rack", "wall", (HALL, BED), "hanging coats", CLOTH, "wood")
def coat_rack(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = plain(color, 0.2)
    coat = cloth(shade(color, 0.8), seed_of(rng))
    return (
        cylinder(0.45, 0.04, (0, 0, 0), wood),
        cylinder(0.05, 1.75, (0, 0, 0), wood),
        *(Part("box", (0.3, 0.03, 0.03), (0, 0, 1.66), wood, a) for a in (0.0, 60.0, 120.0)),
        Part("cone", (0.42, 0.24, 0.95), (0.14, 0, 1.15), coat),
        Part("sphere", (0.28, 0.28, 0.14), (0, 0, 1.8), plain(PAINTS["black"])),
    )


@Kind("laundry basket", "wall", (LAUNDRY, BATH, BED), "collecting dirty clothes", CLOTH, "wicker")
def laundry_basket(rng: np.random.Generator, color: Vec3) -> Parts:
    weave = textured("checker", color, shade(color, 0.7), 0.04)
    return (
        cylinder(0.46, 0.5, (0, 0, 0), weave),
        cylinder(0.5, 0.05, (0, 0, 0.48), plain(shade(color, 0.8))),
        Part("sphere", (0.42, 0.4, 0.24), (0, 0, 0.53), cloth(PAINTS["beige"], 3)),
        Part("sphere", (0.24, 0.3, 0.2), (0.06, -0.05, 0.6), cloth(PAINTS["white"], 4)),
    )


@Kind("basket", "floor", (*ANY, GARDEN), "carrying things", TIMBER, "wicker", scale=(0.6, 1.8))
def basket(rng: np.random.Generator, color: Vec3) -> Parts:
    weave = textured("checker", color, shade(color, 0.7), 0.05, seed_of(rng))
    lining = cloth(PAINTS["beige"] if max(color) < 0.5 else PAINTS["brown"])
    return (
        box((0.4, 0.3, 0.24), (0, 0, 0), weave),
        box((0.43, 0.33, 0.03), (0, 0, 0.22), plain(shade(color, 0.8))),
        box((0.38, 0.28, 0.01), (0, 0, 0.245), lining),
        *(box((0.03, 0.03, 0.14), (s * 0.18, 0, 0.25), plain(color)) for s in (-1, 1)),
        box((0.39, 0.03, 0.03), (0, 0, 0.38), plain(color)),
    )


@Kind(
    "trash can", "wall", (KITCHEN, BATH, STUDY, LAUNDRY, GARDEN), "throwing things away", APPLIANCE, "metal"
)
def trash_can(rng: np.random.Generator, color: Vec3) -> Parts:
    height = float(rng.uniform(0.3, 0.65))
    return (
        cylinder(0.3, height, (0, 0, 0), tiled(color, 0.05)),
        Part("sphere", (0.32, 0.32, 0.12), (0, 0, height), plain(shade(color, 0.6), 0.4)),
        box((0.12, 0.05, 0.03), (0, -0.16, 0.02), plain(DARK_METAL)),
    )


@Kind(
    "storage box",
    "floor",
    (LAUNDRY, GYM, STUDY, KIDS, GARDEN),
    "keeping things packed",
    BRIGHT,
    "cardboard",
    scale=(0.6, 1.9),
    flat=True,
)
def storage_box(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.4, 0.3, 0.26), (0, 0, 0), textured("noise", color, shade(color, 0.8), 0.3, seed_of(rng))),
        box((0.42, 0.32, 0.05), (0, 0, 0.24), plain(shade(color, 0.8))),
        box((0.14, 0.01, 0.08), (0, -0.155, 0.1), plain(PAINTS["white"])),
    )


@Kind("ladder", "wall", (LAUNDRY, GYM, GARDEN), "reaching high places", APPLIANCE, "metal")
def ladder(rng: np.random.Generator, color: Vec3) -> Parts:
    rail = plain(color, 0.3)
    return (
        *(Part("box", (0.05, 0.03, 1.5), (s * 0.2, -0.16, 0.74), rail, 90.0, 0.0) for s in (-1, 1)),
        *(Part("box", (0.05, 0.03, 1.5), (s * 0.2, 0.16, 0.74), rail, 90.0, 0.0) for s in (-1, 1)),
        *(box((0.4, 0.1, 0.03), (0, -0.16, z), plain(shade(color, 0.8))) for z in (0.3, 0.6, 0.9, 1.2)),
        box((0.42, 0.38, 0.05), (0, 0, 1.48), plain(shade(color, 0.7))),
    )
