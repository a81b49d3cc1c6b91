"""Importers of plain images: video files, live streams, image folders, narrated videos."""
