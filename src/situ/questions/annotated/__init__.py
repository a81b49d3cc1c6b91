"""Questions about annotated rooms: counts, sizes, orders, directions and routes."""
