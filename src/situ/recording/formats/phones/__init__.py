"""Importers of phone captures with depth."""
