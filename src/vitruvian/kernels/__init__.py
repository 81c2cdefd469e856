"""Compiled functions: no Python objects inside, no allocation, SI units, world frame unless said."""
