"""Small systems that many tests use; one thread per test process, since pytest runs several of them."""

import os

os.environ.setdefault("NUMBA_NUM_THREADS", os.environ.get("JOUNCE_TEST_THREADS", "2"))
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
