"""`vitruvian cache`: the compiled kernels on disk."""

from __future__ import annotations

import typer


def command(clear: bool = typer.Option(False, "--clear", help="Remove the compiled kernels of every version.")) -> None:
    """Show where the compiled kernels are, or remove them."""
    from .._jit import cache_folder, clear_cache

    if clear:
        removed = clear_cache()
        print(f"Removed {len(removed)} folder{'' if len(removed) == 1 else 's'} of compiled kernels.")
        return
    files = [path for path in cache_folder().rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{cache_folder()}: {len(files)} files, {size:.1f} MB")
