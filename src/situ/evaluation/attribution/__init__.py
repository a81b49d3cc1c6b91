"""Why answers were wrong: stage by stage, the truth put in the place of what was believed."""
