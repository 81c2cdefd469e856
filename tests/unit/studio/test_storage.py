"""File names from the page stay in the working folder."""

import os

import pytest

from vitruvian.errors import InputError
from vitruvian.studio.storage import inside, save


@pytest.mark.parametrize("name", ["my-fall", "my-fall.toml", "A fall of 4 m", "v1.2", "a+b_c"])
def test_plain_names_are_files_of_the_folder(tmp_path, name):
    path = inside(tmp_path, name, ".toml")
    assert path.parent == tmp_path.resolve() and path.suffix == ".toml"
    assert not path.name.endswith(".toml.toml")


@pytest.mark.parametrize(
    "name",
    [
        "../up",
        "..",
        ".",
        "",
        "   ",
        "/etc/passwd",
        "folder/file",
        "folder\\file",
        "C:\\file",
        "C:file",
        "~/file",
        ".hidden",
        "-option",
        "nul",
        "CON.toml",
        "a\0b",
        "a\nb",
        "ä" * 3,
        "x" * 200,
        "name.",
        "%2e%2e%2fup",
        "$(touch x)",
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path, name):
    with pytest.raises(InputError, match="not a name for a file"):
        save(tmp_path / "work", name, ".toml", "text")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_that_leads_out_is_refused(tmp_path):
    work, outside = tmp_path / "work", tmp_path / "outside.toml"
    work.mkdir()
    outside.write_text("mine")
    (work / "link.toml").symlink_to(outside)
    (work / "part.toml.part").symlink_to(outside)
    with pytest.raises(InputError, match="leads out"):
        save(work, "link", ".toml", "text")
    save(work, "part", ".toml", "text")  # not written through the link
    assert outside.read_text() == "mine" and (work / "part.toml").read_text() == "text"


def test_no_file_is_overwritten(tmp_path):
    save(tmp_path, "a", ".toml", "one")
    with pytest.raises(InputError, match="is there already"):
        save(tmp_path, "a.toml", ".toml", "two")
    assert (tmp_path / "a.toml").read_text() == "one"
    (tmp_path / "b.toml").mkdir()
    with pytest.raises(InputError, match="not a file"):
        save(tmp_path, "b", ".toml", "text")
    assert {path.name for path in tmp_path.iterdir()} == {"a.toml", "b.toml"}  # nothing left behind
