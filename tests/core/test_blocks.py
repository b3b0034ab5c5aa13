"""Block matrices do what scipy and numpy do."""

import numba
import numpy as np
import pytest
import scipy.sparse as sp

from jounce.core.blocks import BlockMatrix, BlockPattern, linear_combination


def random_matrix(n: int, pairs: int, seed: int) -> BlockMatrix:
    rng = np.random.default_rng(seed)
    pattern = BlockPattern.from_pairs(rng.integers(n, size=pairs), rng.integers(n, size=pairs), n)
    return BlockMatrix(pattern, rng.standard_normal((pattern.nnz, 3, 3)))


@pytest.fixture
def a():
    return random_matrix(20, 60, 0)


def test_product_equals_the_dense_product(a):
    x = np.random.default_rng(1).standard_normal(60)
    np.testing.assert_allclose(a @ x, a.toarray() @ x, rtol=1e-13, atol=1e-13)
    assert np.array_equal(a @ x.reshape(20, 3), (a @ x).reshape(20, 3))
    columns = np.stack([x, 2 * x], axis=1)
    np.testing.assert_allclose(a @ columns, a.toarray() @ columns, rtol=1e-13, atol=1e-13)
    with pytest.raises(ValueError, match="20 block rows"):
        a @ x[:-1]


def test_conversions_agree_and_own_their_memory(a):
    dense = np.zeros((20, 3, 20, 3))
    p = a.pattern
    for i in range(20):
        for k in range(int(p.indptr[i]), int(p.indptr[i + 1])):
            dense[i, :, p.indices[k]] = a.values[k].reshape(3, 3)
    dense = dense.reshape(60, 60)
    for same in (a.toarray(), a.tocsr().toarray(), a.tobsr().toarray(), BlockMatrix.from_scipy(a.tocsr()).toarray()):
        assert np.array_equal(same, dense)
    assert not np.shares_memory(a.tobsr().data, a.values)
    assert np.array_equal(a.diagonal(), np.diag(dense))
    assert np.array_equal(a.diagonal_blocks()[7], dense[21:24, 21:24])


def test_from_scipy_adds_missing_diagonal_blocks():
    matrix = sp.coo_array(([2.0], ([0], [5])), shape=(9, 9))
    b = BlockMatrix.from_scipy(matrix)
    assert np.array_equal(b.toarray(), matrix.toarray())
    assert b.pattern.nnz == 4
    with pytest.raises(ValueError, match="divisible by 3"):
        BlockMatrix.from_scipy(sp.eye_array(4))


def test_sums_of_one_pattern_and_of_different_patterns(a):
    b, c = BlockMatrix(a.pattern, a.values[::-1]), random_matrix(20, 90, 3)
    d = np.arange(60.0)
    np.testing.assert_allclose((a + b).toarray(), a.toarray() + b.toarray())
    assert (a + b).pattern is a.pattern
    np.testing.assert_allclose((a - c).toarray(), a.toarray() - c.toarray())
    np.testing.assert_allclose((2 * a).toarray(), 2 * a.toarray())
    np.testing.assert_allclose((np.float64(2) * a).toarray(), 2 * a.toarray())
    np.testing.assert_allclose((-a).toarray(), -a.toarray())
    np.testing.assert_allclose(a.plus_diagonal(d).toarray(), a.toarray() + np.diag(d))
    fused = linear_combination([(2.0, a), (-3.0, c), (0.5, b), (1.5, a)], diagonal=d)
    expected = 3.5 * a.toarray() - 3 * c.toarray() + 0.5 * b.toarray() + np.diag(d)
    np.testing.assert_allclose(fused.toarray(), expected, atol=1e-13)
    assert np.array_equal(linear_combination([], diagonal=d).toarray(), np.diag(d))
    with pytest.raises(ValueError, match="60 rows"):
        a.plus_diagonal(d[:-1])


def test_results_never_alias_their_inputs(a):
    for result in (1.0 * a, linear_combination([(1.0, a)]), a.plus_diagonal(np.zeros(60)), a + a):
        assert not np.shares_memory(result.values, a.values)


def test_patterns_compare_by_content(a):
    twin = BlockPattern(a.pattern.indptr, a.pattern.indices)
    assert twin == a.pattern
    assert hash(twin) == hash(a.pattern)
    assert twin != random_matrix(20, 60, 9).pattern
    assert (a + BlockMatrix(twin, a.values)).pattern.nnz == a.pattern.nnz
    with pytest.raises(ValueError, match="read-only"):
        a.pattern.indices[0] = 1


def test_bad_patterns_are_refused():
    with pytest.raises(ValueError, match="Diagonal block 1 is missing"):
        BlockPattern([0, 1, 2], [0, 0])
    with pytest.raises(ValueError, match="sorted and distinct"):
        BlockPattern([0, 2, 3], [1, 0, 1])
    with pytest.raises(ValueError, match="names column"):
        BlockPattern([0, 1], [4])
    with pytest.raises(ValueError, match="swapped"):
        BlockPattern([0, 0, 1], [0, 1, 2])


def test_the_bits_do_not_depend_on_the_number_of_threads():
    a = random_matrix(400, 4000, 4)
    x = np.random.default_rng(1).standard_normal(1200)
    before, products = numba.get_num_threads(), []
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        products.append(a @ x)
    numba.set_num_threads(before)
    assert np.array_equal(*products)
