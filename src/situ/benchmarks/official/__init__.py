"""Published data as question sets: files in their own layouts, checked row by row, media beside them."""
