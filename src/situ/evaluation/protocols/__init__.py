"""How each benchmark is asked, read, scored and summed up. One file per benchmark."""

from situ.evaluation.protocols.base import Analysis, Protocol, Published

__all__ = ["Analysis", "Protocol", "Published"]
