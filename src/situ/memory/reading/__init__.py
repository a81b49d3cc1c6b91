"""The memory as others see it: the past, a spatial state, and samples of a belief."""
