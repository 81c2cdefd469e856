"""The laboratory: everything that checks, compares, reproduces or measures. Only the command line imports it."""
