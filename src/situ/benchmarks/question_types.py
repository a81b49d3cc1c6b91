"""Types of questions by what their answers are, as public question files name them."""

BINARY, COUNT, OTHER = "BINARY", "COUNT", "OTHER"
CHOICES, NUMBERS, WORDS = ANSWER_KINDS = ("choices", "numbers", "words")


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
