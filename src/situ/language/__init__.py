"""Sentence in, answer out: with its evidence, its probability, and a certificate that can be checked."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.language.answering import Told, ask
    from situ.language.certificate import Certificate, verify
    from situ.language.memory import Memory
    from situ.language.vocabulary import Vocabulary

__all__ = ["Certificate", "Memory", "Told", "Vocabulary", "ask", "verify"]

__getattr__ = exports(
    __name__,
    {
        "Certificate": "situ.language.certificate",
        "Memory": "situ.language.memory",
        "Told": "situ.language.answering",
        "Vocabulary": "situ.language.vocabulary",
        "ask": "situ.language.answering",
        "verify": "situ.language.certificate",
    },
)
