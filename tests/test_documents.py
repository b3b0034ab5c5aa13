"""The Python of documents and the examples run, and say what they promise."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
BLOCKS = {
    f"{path.name} {i + 1}": block
    for path in DOCUMENTS
    for i, block in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.S))
}


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readme_has_python_in_it():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("name", BLOCKS)
def test_the_python_of_documents_runs(name):
    assert run("-c", BLOCKS[name]).strip()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run_and_their_assertions_hold(path):
    assert run(str(path)).strip()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_the_links_and_pictures_of_documents_are_there(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def test_no_document_names_a_package_registrys_host():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("changelog/*.md")]:
        assert "pypi" not in path.read_text(encoding="utf-8").lower(), path
