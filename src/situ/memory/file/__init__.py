"""The `.situ` file: one transaction at a time, a seal at rest, and rows in compact blobs."""
