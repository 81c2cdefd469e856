"""Evidence: the functions behind verify, reproduce, validate and bench, and behind the tests."""
