"""DINOv2 ViT-S/14 (Meta AI, Apache-2.0) in plain PyTorch, and its weights out of an ONNX file.

The file is the one that `tools/fetch_weights.py dinov2-s` brings; where a hub can be reached, the weights of
`facebook/dinov2-small` have the same numbers under other names.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from situ.errors import BadFormat, MissingExtra
from situ.perception.photos.channels import PATCH

WIDTH, HEADS, DEPTH, GRID = 384, 6, 12, 37
MEAN, SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of the pictures that it was taught on
_EXPORTED_POSITIONS = "Reshape_1360"  # the name that the file gives to the embedding of positions


class Block(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int = WIDTH, heads: int = HEADS) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.attn = nn.ModuleDict({"qkv": nn.Linear(width, 3 * width), "proj": nn.Linear(width, width)})
        self.mlp = nn.ModuleDict({"fc1": nn.Linear(width, 4 * width), "fc2": nn.Linear(4 * width, width)})
        self.ls1, self.ls2 = (nn.ParameterDict({"gamma": torch.ones(width)}) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        n, t, width = x.shape
        qkv = self.attn["qkv"](self.norm1(x)).view(n, t, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        seen = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, t, width)
        x = x + self.attn["proj"](seen) * self.ls1["gamma"]
        return x + self.mlp["fc2"](F.gelu(self.mlp["fc1"](self.norm2(x)))) * self.ls2["gamma"]


class ViT(nn.Module):  # type: ignore[misc]
    """Pictures (n, 3, h, w), sides multiples of 14, to tokens: one of the whole, one for each patch."""

    def __init__(self, width: int = WIDTH, heads: int = HEADS, depth: int = DEPTH) -> None:
        super().__init__()
        self.width = width
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos = nn.Parameter(torch.zeros(1, GRID * GRID, width))
        self.patch_embed = nn.ModuleDict({"proj": nn.Conv2d(3, width, PATCH, PATCH)})
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width, eps=1e-6)

    def embed(self, picture: Tensor) -> Tensor:
        patches = self.patch_embed["proj"](picture)
        grid = self.pos.float().reshape(1, GRID, GRID, self.width).permute(0, 3, 1, 2)
        where = _resized(grid, patches.shape[2], patches.shape[3])
        tokens = (patches + where.to(patches.dtype)).flatten(2).transpose(1, 2)
        # The file's embedding of the class token's position equals the class token itself.
        whole = (2 * self.cls_token).expand(len(tokens), -1, -1).to(tokens.dtype)
        return torch.cat([whole, tokens], 1)


def _resized(grid: Tensor, rows: int, columns: int) -> Tensor:
    """(1, channels, side, side) resized bicubically, by products of matrices: fast on a CPU."""
    side = grid.shape[-1]
    unit = torch.eye(side, dtype=grid.dtype, device=grid.device)[None, None]
    down = F.interpolate(unit, size=(rows, side), mode="bicubic", align_corners=False)
    across = F.interpolate(unit, size=(side, columns), mode="bicubic", align_corners=False)
    return down @ grid @ across


Weights = dict[str, NDArray[np.float16]]


def backbone(weights: Weights) -> ViT:
    made = ViT()
    try:
        made.load_state_dict({k: torch.from_numpy(v.astype(np.float32)) for k, v in weights.items()})
    except RuntimeError as error:
        raise BadFormat(f"these are no weights of DINOv2 ViT-S/14: {str(error)[:200]}") from error
    return made


def read_weights(file: Path) -> Weights:
    """Weights of the backbone: out of an ONNX file, or out of an .npz that was written from it."""
    if file.suffix != ".onnx":
        with np.load(file, allow_pickle=False) as kept:
            return {name: _widened(kept, name) for name in kept.files if not name.endswith(_STEP)}
    try:
        import onnx
        from onnx import numpy_helper
    except ImportError as error:
        raise MissingExtra("teach", "reading a backbone as ONNX") from error
    graph = onnx.load(str(file)).graph
    values = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    found: dict[str, Any] = {k[len("model.") :]: v for k, v in values.items() if k.startswith("model.")}
    found["pos"] = next(v for k, v in values.items() if _EXPORTED_POSITIONS in k)
    for node in graph.node:  # weights of linear layers have no name of their own: that of their node tells
        if node.op_type == "MatMul" and node.input[1] in values:
            parts = node.name.strip("/").split("/")[:-1]
            found[".".join(parts) + ".weight"] = values[node.input[1]].T.copy()
    wanted = ViT().state_dict()
    return {name: np.asarray(found[name], np.float16).reshape(wanted[name].shape) for name in wanted}


_STEP = "/step"


def pack(weights: Weights, file: Path) -> None:
    """Write weights in 8 bits by row, for a journey: a quarter of the size, off by a three-hundredth."""
    kept: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        rows = value.astype(np.float32).reshape(len(value), -1)
        if value.ndim < 2 or len(value) < 2:
            kept[name] = value
            continue
        step = np.abs(rows).max(axis=1, keepdims=True) / 127 + 1e-12
        kept[name] = np.round(rows / step).astype(np.int8).reshape(value.shape)
        kept[name + _STEP] = step[:, 0].astype(np.float32)
    np.savez_compressed(file, **kept)  # type: ignore[arg-type]


def _widened(kept: Any, name: str) -> NDArray[np.float16]:
    value = kept[name]
    if name + _STEP in kept.files:
        value = value * kept[name + _STEP].reshape(-1, *[1] * (value.ndim - 1))
    return np.asarray(value, np.float16)
