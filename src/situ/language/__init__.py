"""Sentence in, answer out: with its evidence, its probability, and a certificate that can be checked."""

from situ.language.answering import Told, ask
from situ.language.certificate import Certificate, verify
from situ.language.interpreter import Interpreter
from situ.language.memory import Memory
from situ.language.parse import NotUnderstood, parse
from situ.language.vocabulary import Vocabulary

__all__ = [
    "Certificate",
    "Interpreter",
    "Memory",
    "NotUnderstood",
    "Told",
    "Vocabulary",
    "ask",
    "parse",
    "verify",
]
