"""Networks that situ finds here by their file names; there is no code in this package."""
