"""A result as the last line of a notebook's cell."""

import pytest

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]


def test_a_notebook_shows_summary_and_replay(tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    cell = 'from vitruvian import Scenario\nScenario.load("fall-1cm", {"solver.duration": 0.2}).run()'
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    (output,) = (output for output in notebook.cells[0].outputs if output.output_type == "execute_result")
    page = output.data["text/html"]
    assert "head peak acceleration" in page and '<iframe srcdoc="&lt;!doctype html&gt;' in page
    assert output.data["text/plain"].startswith("<Result fall-1cm")
