"""The rules that families of questions share: which thing is meant, on what it lies, where it rested."""
