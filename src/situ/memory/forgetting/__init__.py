"""What is forgotten by age, and what is erased on request."""
