"""People answer a question set: who is asked what, what they said, and what that is worth."""
