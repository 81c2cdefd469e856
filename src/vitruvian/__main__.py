"""`python -m vitruvian` does what the command `vitruvian` does."""

from vitruvian.cli import main

if __name__ == "__main__":
    main()
