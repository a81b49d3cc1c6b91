"""Script that runs inside Blender and renders the job of blender.py with Cycles; situ does not import it.

    blender --background --factory-startup --python blender_script.py -- job.json

A job holds one or more scenes and views of them. View k is written next to the job as k.npz (rgb, and depth
and ids if requested).
"""

import json
import math
import os
import sys
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

Job = dict[str, Any]
Mesh = tuple[list[tuple[float, float, float]], list[tuple[int, ...]], bool]  # vertices, faces, smooth shading

ROUND_SEGMENTS = 128  # of cylinders, cones and spheres
GROUND_HALF = 20000.0  # metres
FAR = 1e9  # Cycles reports a depth of 1e10 for rays that hit nothing
PATTERN_NODES = {
    "checker": "ShaderNodeTexChecker",
    "tiles": "ShaderNodeTexChecker",
    "bricks": "ShaderNodeTexBrick",
}
LAMP_STRENGTH = 6.0  # emission of lamps
SUN_LIKE_OURS = math.pi * 1.05  # irradiance that lights a white surface like situ's sun


def main(job_path: str) -> None:
    with open(job_path) as file:
        job = json.load(file)
    folder = os.path.dirname(os.path.abspath(job_path))
    built = None
    for number, view in enumerate(job["views"]):
        if view["scene"] != built:
            build(job, job["scenes"][view["scene"]])
            built = view["scene"]
        scene = bpy.context.scene
        place_camera(scene, view["pose"])
        found: dict[str, Any] = {"rgb": render_colors(scene, job, folder)}
        if job["passes"]:
            found["depth"], found["ids"] = render_passes(scene, folder)
            built = None  # the id and depth passes remove the light of the scene
        part = os.path.join(folder, f"{number}.part.npz")
        np.savez(part, **found)
        os.replace(part, os.path.join(folder, f"{number}.npz"))


def build(job: Job, parts: list[Job]) -> None:
    """Create an empty file with the parts of one scene, its light and its camera."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    for part in parts:
        add_part(part)
    if job["ground"]:
        add_mesh("ground", ground_mesh(), Matrix(), job["ground"], 0)
    add_sky(scene, job)
    add_sun(job["sun"])
    add_camera(scene, job["camera"])


def add_part(part: Job) -> None:
    size = Vector(part["size"])
    pose = Matrix(part["pose"]) @ Matrix.Diagonal((size.x / 2, size.y / 2, size.z / 2, 1.0))
    add_mesh("part", unit_mesh(part["shape"]), pose, part["material"], part["id"])


def unit_mesh(shape: str) -> Mesh:
    """A solid that fills [-1, 1] cubed."""
    if shape == "box":
        corners = [(x, y, z) for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)]
        return (
            corners,
            [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)],
            False,
        )
    if shape == "wedge":
        low = [(-1.0, -1.0, -1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (1.0, 1.0, -1.0)]
        corners = [*low, (-1.0, -1.0, 1.0), (-1.0, 1.0, 1.0)]
        return corners, [(0, 2, 3, 1), (0, 4, 5, 2), (1, 3, 5, 4), (0, 1, 4), (2, 5, 3)], False
    turns = [2 * math.pi * i / ROUND_SEGMENTS for i in range(ROUND_SEGMENTS)]
    if shape == "sphere":
        heights = [math.cos(math.pi * j / 64) for j in range(1, 64)]
        rings = [(math.sqrt(1 - z * z), z) for z in heights]
    else:
        rings = [(0.0 if shape == "cone" else 1.0, 1.0), (1.0, -1.0)]
    vertices = [(r * math.cos(t), r * math.sin(t), z) for r, z in rings for t in turns]
    faces: list[tuple[int, ...]] = []
    n = ROUND_SEGMENTS
    for ring in range(len(rings) - 1):
        for i in range(n):
            a, b = ring * n + i, ring * n + (i + 1) % n
            faces.append((a, a + n, b + n, b))
    if shape == "sphere":
        vertices += [(0, 0, 1), (0, 0, -1)]
        top, last = len(vertices) - 2, (len(rings) - 1) * n
        faces += [(top, i, (i + 1) % n) for i in range(n)]
        faces += [(top + 1, last + (i + 1) % n, last + i) for i in range(n)]
    else:
        faces += (
            [tuple(range(n)), tuple(reversed(range(n, 2 * n)))]
            if shape == "cylinder"
            else [tuple(reversed(range(n, 2 * n)))]
        )
    return vertices, faces, shape == "sphere"


def ground_mesh() -> Mesh:
    g = GROUND_HALF
    return [(-g, -g, 0), (g, -g, 0), (g, g, 0), (-g, g, 0)], [(0, 1, 2, 3)], False


def add_mesh(name: str, mesh_parts: Mesh, pose: Any, material: Job, index: int) -> None:
    vertices, faces, smooth = mesh_parts
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.materials.append(make_material(material))
    obj = bpy.data.objects.new(name, mesh)
    obj.matrix_world = pose
    obj.pass_index = index
    bpy.context.scene.collection.objects.link(obj)


def make_material(data: Job) -> Any:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 1.0 - 0.7 * min(1.0, data["gloss"])
    surface.inputs["Base Color"].default_value = (*(min(1.0, c) for c in data["color"]), 1.0)
    if max(data["color"]) > 1.0:  # brighter than any paint: a light source
        surface.inputs["Emission Color"].default_value = (
            *(c / max(data["color"]) for c in data["color"]),
            1.0,
        )
        surface.inputs["Emission Strength"].default_value = LAMP_STRENGTH
    if data["texture"] == "plain":
        return material
    pattern = nodes.new(PATTERN_NODES.get(data["texture"], "ShaderNodeTexNoise"))
    pattern.inputs["Scale"].default_value = 1.0 / data["scale"]
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value = (*data["color"], 1.0)
    mix.inputs["Color2"].default_value = (*data["second_color"], 1.0)
    place = nodes.new("ShaderNodeNewGeometry")
    links.new(place.outputs["Position"], pattern.inputs["Vector"])
    links.new(pattern.outputs["Fac"], mix.inputs["Fac"])
    links.new(mix.outputs["Color"], surface.inputs["Base Color"])
    return material


def add_sky(scene: Any, job: Job) -> None:
    """Sky: a gradient for the camera, and an even sky of its hue and the scene's ambient strength as
    light."""
    world = bpy.data.worlds.new("sky")
    scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    zenith, horizon = job["sky"]
    ray, split = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    links.new(ray.outputs["Generated"], split.inputs["Vector"])
    value = split.outputs["Z"]
    for operation, operands in (("MAXIMUM", (None, 0.0)), ("SUBTRACT", (1.0, None)), ("POWER", (None, 3.0))):
        math_node = nodes.new("ShaderNodeMath")
        math_node.operation = operation
        for socket, operand in zip(math_node.inputs, operands, strict=False):
            if operand is None:
                links.new(value, socket)
            else:
                socket.default_value = operand
        value = math_node.outputs["Value"]
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value = (*zenith, 1.0)
    mix.inputs["Color2"].default_value = (*horizon, 1.0)
    links.new(value, mix.inputs["Fac"])
    path, seen = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMixRGB")
    sky = [(a + b) / 2 for a, b in zip(zenith, horizon, strict=True)]
    even = [job["ambient"] * (0.55 + 0.45 * c / max(*sky, 1e-6)) for c in sky]
    seen.inputs["Color1"].default_value = (*even, 1.0)
    links.new(path.outputs["Is Camera Ray"], seen.inputs["Fac"])
    links.new(mix.outputs["Color"], seen.inputs["Color2"])
    links.new(seen.outputs["Color"], nodes["Background"].inputs["Color"])


def add_sun(sun: Job | None) -> None:
    """The scene's sun; without one, light from above and from one side without shadows."""
    lamps = (
        [(sun["azimuth_deg"], sun["elevation_deg"], sun["strength"], True)]
        if sun
        else [
            (30.0, 65.0, 0.5, False),
            (200.0, 20.0, 0.25, False),
        ]
    )
    for azimuth_deg, elevation_deg, strength, shadow in lamps:
        light = bpy.data.lights.new("sun", "SUN")
        light.energy = SUN_LIKE_OURS * strength
        light.angle = math.radians(0.5)
        light.color = (1.0, 0.95, 0.87)
        if not shadow:
            # The location of this setting differs between Blender versions.
            owner, name = (light.cycles, "cast_shadow"), (light, "use_shadow")
            setattr(*(owner if hasattr(*owner) else name), False)
        obj = bpy.data.objects.new("sun", light)
        azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
        level = math.cos(elevation)
        towards = Vector((level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)))
        obj.rotation_mode = "QUATERNION"
        obj.rotation_quaternion = towards.to_track_quat("Z", "Y")  # lights point along their -z axis
        bpy.context.scene.collection.objects.link(obj)


def add_camera(scene: Any, camera: Job) -> None:
    data = bpy.data.cameras.new("camera")
    width, height = camera["width"], camera["height"]
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = camera["fx"] * 36.0 / width
    data.shift_x = (width / 2 - camera["cx"]) / width
    data.shift_y = (camera["cy"] - height / 2) / width
    data.clip_start, data.clip_end = 0.02, 1e6
    obj = bpy.data.objects.new("camera", data)
    scene.collection.objects.link(obj)
    scene.camera = obj
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.pixel_aspect_x, render.pixel_aspect_y = 1.0, camera["fx"] / camera["fy"]
    render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.seed = 0
    scene.cycles.use_adaptive_sampling = False
    scene.view_settings.view_transform = "Standard"


def place_camera(scene: Any, pose: list[list[float]]) -> None:
    # Blender's cameras look along -z with y up; situ's along z with y down.
    scene.camera.matrix_world = Matrix(pose) @ Matrix.Diagonal((1.0, -1.0, -1.0, 1.0))


def render_colors(scene: Any, job: Job, folder: str) -> NDArray[np.uint8]:
    scene.cycles.samples = job["samples"]
    scene.cycles.use_denoising = True
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = os.path.join(folder, "color.png")
    bpy.ops.render.render(write_still=True)
    pixels = load_pixels(scene.render.filepath)
    return np.round(pixels[..., :3] * 255.0).astype(np.uint8)


def render_passes(scene: Any, folder: str) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Depth and object index from one sample at each pixel centre, encoded as emitted light."""
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    scene.cycles.pixel_filter_type = "BOX"
    scene.cycles.filter_width = 0.01
    scene.cycles.max_bounces = 0
    scene.world = None
    scene.view_layers[0].material_override = telling_material()
    settings = scene.render.image_settings
    settings.file_format, settings.color_mode, settings.color_depth = "OPEN_EXR", "RGB", "32"
    scene.render.filepath = os.path.join(folder, "passes.exr")
    bpy.ops.render.render(write_still=True)
    pixels = load_pixels(scene.render.filepath)
    ids, depth = pixels[..., 0], pixels[..., 1]
    return np.where(depth < FAR, depth, 0.0).astype(np.float32), np.round(ids).astype(np.uint16)


def telling_material() -> Any:
    """A material that emits its object's index in red and its depth in green."""
    material = bpy.data.materials.new("telling")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    obj, view = nodes.new("ShaderNodeObjectInfo"), nodes.new("ShaderNodeCameraData")
    joined, light = nodes.new("ShaderNodeCombineXYZ"), nodes.new("ShaderNodeEmission")
    links.new(obj.outputs["Object Index"], joined.inputs["X"])
    links.new(view.outputs["View Z Depth"], joined.inputs["Y"])
    links.new(joined.outputs["Vector"], light.inputs["Color"])
    links.new(light.outputs["Emission"], nodes.new("ShaderNodeOutputMaterial").inputs["Surface"])
    return material


def load_pixels(path: str) -> NDArray[np.float32]:
    """Pixels of an image file as stored, first row on top."""
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(height, width, image.channels)[::-1].copy()


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1])
