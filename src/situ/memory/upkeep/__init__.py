"""Work on a finished memory: corrections, merging, export, inspection, repair."""
