"""Every example runs and asserts a physical quantity of its own."""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))

pytestmark = [pytest.mark.needs_jit, pytest.mark.skipif(not EXAMPLES, reason="not a checkout of the repository")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "assert " in path.read_text(encoding="utf-8"), "an example shows what is right"
    assert module.main() is not None
    assert not list(tmp_path.iterdir()), "an example leaves no files behind"
