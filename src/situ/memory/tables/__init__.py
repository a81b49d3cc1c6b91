"""Flat tables that compiled code walks and the file stores: objects, rates, words, rows on their way."""
