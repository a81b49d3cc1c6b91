"""VSI-type multiple choice over generated tours: what narratives are scored on."""
