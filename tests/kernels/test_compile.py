"""Compilation: a second process reuses machine code, an edit never does, and templates are bound safely."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import prange

from jounce.kernels import compile as kernels
from jounce.kernels import element_function, specialise

SCRIPT = """
import numpy as np
from jounce.elements import Springs
from jounce.materials import create
from numba.core import event
with event.install_recorder("numba:compile") as record:
    springs = Springs(np.eye(3), np.array([[0, 1], [1, 2]]), create("hookean-spring", stiffness=1.0))
    springs.energies(np.eye(3))
print(len(record.buffer))
"""


def run(script, cache, path=None):
    environment = {**os.environ, "JOUNCE_CACHE": str(cache)}
    environment["PYTHONPATH"] = os.pathsep.join([*(str(p) for p in (path or ())), str(kernels.PACKAGE.parent)])
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_second_process_compiles_nothing(tmp_path):
    assert int(run(SCRIPT, tmp_path)) > 0
    assert int(run(SCRIPT, tmp_path)) == 0


def test_the_cache_folder_follows_the_sources(tmp_path):
    (tmp_path / "kernels").mkdir()
    file = tmp_path / "kernels" / "a.py"
    hashes = []
    for text in ("x = 1", "x = 2", "x = 1"):
        file.write_text(text)
        hashes.append(kernels.source_hash(tmp_path))
    assert hashes[0] == hashes[2] != hashes[1]


def test_the_cache_root_is_chosen_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path))
    assert kernels.cache_root() == tmp_path
    monkeypatch.delenv("JOUNCE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kernels.cache_root() == tmp_path / "cache" / "jounce"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert kernels.cache_root() == Path.home() / ".cache" / "jounce"


USER_LAW = """
from jounce.kernels import element_function
from user_helper import scaled

@element_function
def value(x):
    return scaled(x)
"""

USER_HELPER = """
from jounce.kernels import element_function

@element_function
def scaled(x):
    return {factor} * x
"""

USER_SCRIPT = """
import numpy as np
from jounce.kernels import specialise
from tests.kernels.test_compile import template
from user_law import value
out = np.zeros(2)
specialise(template, "user", law=value)(np.ones(2), out)
print(out[0])
"""


def test_an_edit_of_what_a_users_own_law_calls_is_noticed(tmp_path):
    (tmp_path / "user_law.py").write_text(USER_LAW)
    for factor in (2.0, 3.0):
        # The same length and time of change: what numba looks at cannot tell the two apart.
        file = tmp_path / "user_helper.py"
        file.write_text(USER_HELPER.format(factor=factor))
        os.utime(file, (1e9, 1e9))
        script = "import sys; sys.dont_write_bytecode = True\n" + USER_SCRIPT
        assert float(run(script, tmp_path / "cache", [tmp_path])) == factor


law = kernels.UNBOUND


def template(x, out):
    for e in prange(len(x)):
        out[e] = law(x[e])


@element_function
def double(x):
    return 2 * x


@element_function
def triple(x):
    return 3 * x


def test_copies_of_a_template_keep_their_own_bindings():
    x, out = np.ones(3), np.zeros(3)
    for function, expected in ((double, 2), (triple, 3), (double, 2)):
        specialise(template, "same-name", law=function)(x, out)
        np.testing.assert_array_equal(out, expected)


def test_a_missing_binding_is_named():
    with pytest.raises(TypeError, match="template needs a binding of law"):
        specialise(template, "nothing")


def test_element_functions_divide_by_zero_as_numpy_does():
    @element_function
    def inverse(x):
        return 1.0 / x

    assert inverse(0.0) == np.inf
