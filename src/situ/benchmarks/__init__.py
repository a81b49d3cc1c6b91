"""The published systems as recipes: which worlds, which questions, which words, which score."""
