"""Questions about the wearer's own way: its shape, its turns, the way back, the places of a day."""
