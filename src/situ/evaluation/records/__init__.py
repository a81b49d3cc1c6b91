"""What is written down about one question, and which frames are shown for it."""
