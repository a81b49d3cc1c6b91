"""What exists (objects, layouts, events) and how the wearer moves (walks)."""
