"""VSI-Bench: questions about real scanned rooms, answered from their annotated boxes."""
