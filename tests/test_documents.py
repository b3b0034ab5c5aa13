"""The README's Python and the examples run, and say what they promise."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readme_has_python_in_it():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_readmes_python_runs(number):
    assert run("-c", BLOCKS[number]).strip()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run_and_their_assertions_hold(path):
    assert run(str(path)).strip()


def test_the_readmes_links_and_pictures_are_there():
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert "://" in target or (ROOT / target).exists(), target


def test_no_document_names_a_package_registrys_host():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("changelog/*.md")]:
        assert "pypi" not in path.read_text(encoding="utf-8").lower(), path
