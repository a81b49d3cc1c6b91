"""Slips of the keyboard."""

import numpy as np


def with_slips(sentence: str, rng: np.random.Generator, share: float = 0.1) -> str:
    """One slip of the keyboard in each of a share of the words."""
    return " ".join(_slip(word, rng) if rng.random() < share else word for word in sentence.split(" "))


def _slip(word: str, rng: np.random.Generator) -> str:
    letters = [i for i, letter in enumerate(word) if letter.isalpha()]
    if len(letters) < 2:
        return word
    i, kind = letters[int(rng.integers(len(letters)))], int(rng.integers(4))
    other = "abcdefghijklmnopqrstuvwxyz"[int(rng.integers(26))]
    if kind == 0:
        return word[:i] + word[i + 1 :]
    if kind == 1:
        return word[:i] + other + word[i:]
    if kind == 2 or i + 1 >= len(word):
        return word[:i] + other + word[i + 1 :]
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
