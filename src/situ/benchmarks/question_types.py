"""Types of questions by what their answers are, as public question files name them."""

BINARY, COUNT, OTHER = "BINARY", "COUNT", "OTHER"
