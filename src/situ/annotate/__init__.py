"""Questions that people write and refine while they watch: the store, the rules, the exports."""
