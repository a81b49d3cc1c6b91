"""Models of the user's choice behind the stages of perception. Nothing heavy is imported before its use."""

from situ.perception.models.catalogue import BY_NAME, CARDS, ModelCard
from situ.perception.models.selection import Chosen, load_models

__all__ = ["BY_NAME", "CARDS", "Chosen", "ModelCard", "load_models"]
