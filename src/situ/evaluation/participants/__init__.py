"""Who answers without a language model."""
