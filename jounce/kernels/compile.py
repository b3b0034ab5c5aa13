"""How jounce compiles: one cache folder that no edit can make stale, element functions, specialised loops.

A loop over elements is written once, as a plain Python *template* that calls names it does not define (``energy``,
``split``). `specialise` binds those names to the functions of one material and compiles the result.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Threads that spin while they wait take the cores from those they wait for: on shared cores, conjugate gradients became
# ten times slower, at times a hundred. Threads that sleep at once need 40 us to wake, seven times the work of a loop over
# 1,200 rows. A short spin has most of both. It must be set before OpenMP is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "300")

import numba
from numba.core import config as numba_config
from numba.core.dispatcher import Dispatcher

config: Any = numba_config
PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("kernels", "materials", "elements")
"""The rooms that hold compiled functions; an edit of any of their files starts a fresh cache folder."""

if "NUMBA_THREADING_LAYER_PRIORITY" not in os.environ:
    # A two-thread run on workqueue can hang when two threads of Python enter it; OpenMP and TBB do not.
    config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]


def cache_root() -> Path:
    """The folder for what jounce may rebuild: ``JOUNCE_CACHE``, or ``jounce`` in the user's cache folder."""
    if chosen := os.environ.get("JOUNCE_CACHE"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "jounce"


def source_hash(package: Path = PACKAGE) -> str:
    """Digest of every Python file of the rooms that hold compiled functions."""
    digest = hashlib.sha256()
    for room in ROOMS:
        for file in sorted((package / room).rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _usable(folder: Path) -> Path | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE_FOLDER = _usable(cache_root() / f"kernels-{source_hash()}")
"""Where machine code is kept; None when the folder cannot be written, and then nothing is kept."""

# Loops say e = np.uint64(i): a parallel index is signed to one pass of numba and unsigned to the next, and each would
# compile its own version of every function called with it.

UNBOUND: Any = object()
"""Stands for a name of a template that `specialise` binds."""


@contextmanager
def _our_cache() -> Iterator[None]:
    # Only while one of our functions is decorated: the caches of other packages stay where they are.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _compile(function: Callable[..., Any], *, parallel: bool, cache: bool) -> Any:
    with _our_cache():
        return numba.njit(parallel=parallel, cache=cache and CACHE_FOLDER is not None, error_model="numpy")(function)


def element_function(function: Callable[..., Any]) -> Any:
    """Compile a function of one element: scalars, tuples and arrays given by the caller, nothing allocated.

    The restriction is what lets the same source be called from a CPU loop and from a ``numba.cuda`` kernel. A division
    by zero gives inf or NaN, as in NumPy, and ``fastmath`` is off, so that a NaN is never hidden.
    """
    return _compile(function, parallel=False, cache=_is_ours(function))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a loop that needs no binding; ``numba.prange`` runs over threads."""
    return _compile(function, parallel=True, cache=_is_ours(function))


def specialise(template: Callable[..., None], name: str, **bindings: Any) -> Any:
    """A compiled copy of a loop template whose free names are bound; it is compiled when it is first called.

    Bindings that the template does not use are passed over, so that one set serves several templates.

    ``name`` tells the copies apart for the reader of a profile. What tells them apart on disk is a digest of the source
    of everything bound, so a material in a user's own file is compiled afresh when that file changes.
    """
    free = {key for key in template.__code__.co_names if template.__globals__.get(key) is UNBOUND}
    if missing := free - set(bindings):
        raise TypeError(f"The template {template.__name__} needs a binding of {', '.join(sorted(missing))}.")
    bindings = {key: value for key, value in bindings.items() if key in free}
    digest = hashlib.sha256()
    traceable = all(_trace(value, digest, set()) for value in bindings.values())
    title = f"{template.__name__}[{name}-{digest.hexdigest()[:12]}]".replace("-", "_")
    copy = types.FunctionType(template.__code__, {**template.__globals__, **bindings}, title, template.__defaults__)
    copy.__qualname__ = title
    copy.__module__ = template.__module__
    return _compile(copy, parallel=True, cache=traceable)


def _is_ours(function: Callable[..., Any]) -> bool:
    # numba notices an edit of a function's own file only; the folder's digest covers our callees, not those of others.
    return PACKAGE in Path(function.__code__.co_filename).resolve().parents


def _trace(value: Any, digest: Any, seen: set[int]) -> bool:
    """Feed the source of a compiled function and of all it calls to the digest; False when a source cannot be found."""
    if not isinstance(value, Dispatcher):
        digest.update(repr(value).encode())
        return True
    function = value.py_func
    if id(function) in seen:
        return True
    seen.add(id(function))
    digest.update(f"{function.__module__}.{function.__qualname__}".encode())
    if not _is_ours(function):
        try:
            digest.update(Path(inspect.getsourcefile(function) or "").read_bytes())
        except (OSError, TypeError):
            return False
        if function.__closure__:
            return False
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    return all(_trace(callee, digest, seen) for callee in called if isinstance(callee, Dispatcher))
