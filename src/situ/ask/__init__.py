"""Sentence in, answer out: with its evidence, its probability, and a certificate that can be checked."""

from situ.ask.answering import Told, ask
from situ.ask.asked_memory import Memory
from situ.ask.certificate import Certificate, verify
from situ.ask.interpreter import Interpreter
from situ.ask.parse import NotUnderstood, parse
from situ.ask.vocabulary import Vocabulary

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
