"""Plain pictures: files, live streams, folders, and what is told beside them."""
