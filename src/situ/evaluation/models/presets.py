"""Named settings: the rows of the papers' tables as they were run."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from situ.benchmarks.make import PUBLISHED
from situ.errors import BadFormat, BadInput, unknown
from situ.evaluation.models.prompt import Template
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.run import Settings


@dataclass(frozen=True)
class Preset:
    """What a row of a table was made with. Empty texts and None leave a choice to the protocol.

    `source` is the table or figure, `needs` another model that must be named (judge or proxy).
    """

    name: str
    benchmark: str
    about: str
    source: str
    protocol: str = ""
    frames: str = ""
    strategy: str = "direct"
    parser: str = ""
    template: Template | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int = 0
    reasoning_effort: str = ""
    needs: str = ""

    def to_json(self) -> dict[str, Any]:
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "template"}
        prompt = self.template or Template()
        return {**plain, "prompt": {"system": prompt.system, "user": prompt.user}}

    def check(self, manifest: Mapping[str, Any], roles: Mapping[str, str]) -> None:
        """BadInput where the preset is for another benchmark, wants more frames a second than the set holds,
        or needs a model that is not named."""
        benchmark = str(manifest["benchmark"])
        scored_as_sns = self.benchmark == "sns"  # any set of choices can be answered from narratives
        if benchmark != self.benchmark and not scored_as_sns:
            raise BadInput(
                f"the preset '{self.name}' is for {self.benchmark} sets, this is a {benchmark} set. "
                f"For it there are {', '.join(n for n, p in presets().items() if p.benchmark == benchmark)}"
            )
        held = manifest.get("recipe", {}).get("fps") if PUBLISHED in manifest.get("recipe", {}) else None
        wanted = dict(FramePolicy.parse(self.frames).steps).get("fps", 0.0)
        if held is not None and wanted > held:
            raise BadInput(
                f"the preset '{self.name}' shows {wanted:g} frames a second, the set holds {held:g}. "
                f"Import it again with --fps {wanted:g}"
            )
        if self.needs and not roles.get(self.needs):
            raise BadInput(f"the preset '{self.name}' needs --{self.needs} MODEL")


def with_preset(preset: Preset, settings: Settings, asked: ModelSettings) -> tuple[Settings, ModelSettings]:
    """Settings completed by a preset; what was said on its own wins."""
    shaped = replace(
        settings,
        frames=settings.frames or preset.frames,
        protocol=settings.protocol or preset.protocol,
        parser=settings.parser or preset.parser,
        preset=preset.name,
    )
    return shaped, replace(
        asked,
        strategy=asked.strategy or preset.strategy,
        template=asked.template or preset.template,
        temperature=preset.temperature if asked.temperature is None else asked.temperature,
        top_p=preset.top_p if asked.top_p is None else asked.top_p,
        max_tokens=asked.max_tokens or preset.max_tokens,
        reasoning_effort=asked.reasoning_effort or preset.reasoning_effort,
    )


def find_preset(name: str) -> Preset:
    """A preset by name, or the only one of a TOML file of the same form."""
    if name in presets():
        return presets()[name]
    if name.endswith(".toml") and Path(name).is_file():
        own = _read(Path(name).read_text(encoding="utf-8"), name)
        if len(own) != 1:
            raise BadFormat(f"{name} must hold one preset, it holds {len(own)}")
        return next(iter(own.values()))
    raise unknown("preset", name, presets(), "`situ lab presets` lists them")


@cache
def presets() -> Mapping[str, Preset]:
    """Every preset that comes with situ."""
    text = files("situ.evaluation.models").joinpath("presets.toml").read_text(encoding="utf-8")
    return _read(text, "presets.toml")


def _read(text: str, source: str) -> dict[str, Preset]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFormat(f"{source} is not TOML ({error})") from error
    prompts = data.get("prompts", {})
    entries, found = data.get("presets", {}), dict[str, Preset]()
    for name, entry in entries.items():
        like = entry.get("like", name)
        if like not in entries:
            raise BadFormat(f"{source}: the preset '{name}' is like '{like}', which is not there")
        wanted = {key: value for key, value in {**entries[like], **entry}.items() if key != "like"}
        prompt = wanted.pop("prompt", "")
        if prompt and prompt not in prompts:
            raise BadFormat(f"{source}: the preset '{name}' names the prompt '{prompt}', which is not there")
        if prompt:
            words = prompts[prompt]
            wanted["template"] = Template.of(
                words.get("system", "{scene}"), words["user"], f"{source}: {prompt}"
            )
        try:
            found[name] = Preset(name=name, **wanted)
        except TypeError as error:
            raise BadFormat(f"{source}: the preset '{name}' cannot be read ({error})") from error
        FramePolicy.parse(found[name].frames)
    return found
