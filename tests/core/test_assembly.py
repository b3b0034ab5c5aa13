"""Assembly gives what a dense sum over elements gives, on any number of threads."""

import numba
import numpy as np
import pytest

from jounce.core.assembly import Assembler
from jounce.core.blocks import BlockMatrix, BlockPattern

N_NODES = 30


def elements(k: int, count: int, seed: int):
    rng = np.random.default_rng(seed)
    nodes = np.array([rng.choice(N_NODES, k, replace=False) for _ in range(count)])
    full = rng.standard_normal((count, 3 * k, 3 * k))
    full = full + full.transpose(0, 2, 1)
    blocks = np.stack([full[:, 3 * a : 3 * a + 3, 3 * b : 3 * b + 3] for a in range(k) for b in range(a, k)], axis=1)
    return nodes, rng.standard_normal((count, k, 3)), full, blocks


def dense_sums(nodes, gradients, full, block_of_node, n_blocks):
    """The same sums, written as loops over elements and pairs of nodes."""
    g, h = np.zeros((n_blocks, 3)), np.zeros((n_blocks, 3, n_blocks, 3))
    for e, element in enumerate(nodes):
        for a, node_a in enumerate(element):
            i = block_of_node[node_a]
            if i < 0:
                continue
            g[i] += gradients[e, a]
            for b, node_b in enumerate(element):
                j = block_of_node[node_b]
                if j >= 0:
                    h[i, :, j] += full[e, 3 * a : 3 * a + 3, 3 * b : 3 * b + 3]
    return g.ravel(), h.reshape(3 * n_blocks, 3 * n_blocks)


@pytest.fixture
def clamped():
    """Nodes 3, 7 and 11 are clamped, the rest are renumbered in shuffled order."""
    block_of_node = np.full(N_NODES, -1)
    free = np.setdiff1d(np.arange(N_NODES), [3, 7, 11])
    block_of_node[free] = np.random.default_rng(5).permutation(free.size)
    return block_of_node, free.size


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_sums_equal_the_dense_sum_and_drop_clamped_nodes(k, clamped):
    block_of_node, n = clamped
    nodes, gradients, full, blocks = elements(k, 40, k)
    pattern = BlockPattern.from_elements([nodes], block_of_node, n)
    assembler = Assembler(pattern, nodes, block_of_node)
    g, h = dense_sums(nodes, gradients, full, block_of_node, n)
    np.testing.assert_allclose(assembler.vector(gradients), g, atol=1e-13)
    np.testing.assert_allclose(BlockMatrix(pattern, assembler.matrix(blocks)).toarray(), h, atol=1e-13)


def test_two_nodes_on_one_block_row_give_both_of_their_blocks():
    nodes, gradients, full, blocks = elements(4, 25, 9)
    block_of_node = np.arange(N_NODES) // 5
    pattern = BlockPattern.from_elements([nodes], block_of_node, 6)
    assembler = Assembler(pattern, nodes, block_of_node)
    g, h = dense_sums(nodes, gradients, full, block_of_node, 6)
    np.testing.assert_allclose(assembler.vector(gradients), g, atol=1e-13)
    np.testing.assert_allclose(BlockMatrix(pattern, assembler.matrix(blocks)).toarray(), h, atol=1e-12)


def test_several_kinds_of_elements_share_one_matrix(clamped):
    block_of_node, n = clamped
    tets, springs = elements(4, 20, 1), elements(2, 15, 2)
    pattern = BlockPattern.from_elements([tets[0], springs[0]], block_of_node, n)
    values, force = np.full((pattern.nnz, 9), np.nan), np.full(3 * n, np.nan)
    for number, (nodes, gradients, _, blocks) in enumerate([tets, springs]):
        assembler = Assembler(pattern, nodes, block_of_node)
        assembler.matrix(blocks, out=values, accumulate=number > 0)
        assembler.vector(gradients, out=force, accumulate=number > 0)
    sums = [dense_sums(nodes, g, full, block_of_node, n) for nodes, g, full, _ in (tets, springs)]
    np.testing.assert_allclose(force, sums[0][0] + sums[1][0], atol=1e-13)
    np.testing.assert_allclose(BlockMatrix(pattern, values).toarray(), sums[0][1] + sums[1][1], atol=1e-13)


def test_the_bits_do_not_depend_on_the_number_of_threads(clamped):
    block_of_node, n = clamped
    nodes, gradients, _, blocks = elements(4, 500, 3)
    pattern = BlockPattern.from_elements([nodes], block_of_node, n)
    assembler = Assembler(pattern, nodes, block_of_node)
    before, results = numba.get_num_threads(), []
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        results.append((assembler.vector(gradients), assembler.matrix(blocks)))
    numba.set_num_threads(before)
    assert np.array_equal(results[0][0], results[1][0])
    assert np.array_equal(results[0][1], results[1][1])


def test_an_element_outside_the_pattern_is_named():
    pattern = BlockPattern.from_elements([np.array([[0, 1]])], np.arange(3), 3)
    with pytest.raises(ValueError, match=r"1 of 3 block pairs.*first is \(0, 2\)"):
        Assembler(pattern, np.array([[0, 2]]), np.arange(3))
    with pytest.raises(ValueError, match="expected"):
        Assembler(pattern, np.array([[0, 1]]), np.arange(3)).vector(np.zeros((2, 2, 3)))


def test_no_elements_and_no_free_nodes_are_no_special_case():
    nothing, everyone = np.empty((0, 4), dtype=int), np.arange(5)
    pattern = BlockPattern.from_elements([nothing], everyone, 5)
    assembler = Assembler(pattern, nothing, everyone)
    assert not assembler.vector(np.empty((0, 4, 3))).any()
    assert not assembler.matrix(np.empty((0, 10, 3, 3))).any()
    nodes, clamped = np.array([[0, 1, 2, 3]]), np.full(5, -1)
    pattern = BlockPattern.from_elements([nodes], clamped, 0)
    assembler = Assembler(pattern, nodes, clamped)
    assert assembler.vector(np.ones((1, 4, 3))).shape == (0,)
    assert (BlockMatrix(pattern, assembler.matrix(np.ones((1, 10, 3, 3)))) @ np.empty(0)).shape == (0,)
