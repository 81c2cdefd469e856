"""Pictures of results. Nothing here computes mechanics."""
