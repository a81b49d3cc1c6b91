"""An example of a plugin: importing this package registers its parts with situ."""

from situ_tallest import benchmark, detector, question, reader

__all__ = ["benchmark", "detector", "question", "reader"]
