"""Importers of research datasets: Aria, HoloLens, ScanNet, TUM RGB-D and other posed images."""
