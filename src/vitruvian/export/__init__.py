"""Models and results in the formats of other programs."""
