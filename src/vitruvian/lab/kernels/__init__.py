"""Compiled functions that only the laboratory uses."""
