"""UCS-Bench: hours of daily life, questions with a time, and the same question again later."""
