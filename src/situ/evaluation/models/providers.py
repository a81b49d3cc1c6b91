"""The models that situ brings to the engine: a canned one, and local ones."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="situ-canned")
def situ_canned() -> type[ModelAPI]:
    from situ.evaluation.models.canned import CannedModel

    return CannedModel


@modelapi(name="situ-local")
def situ_local() -> type[ModelAPI]:
    from situ.evaluation.models.local_model import LocalModel

    return LocalModel
