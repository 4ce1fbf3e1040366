"""Runs kernels of tinygrad for gfx1100 on the CPU, and compares the results with NumPy's."""

import numpy as np

import isa_device
from tinygrad import Tensor, dtypes

random = np.random.default_rng(0)
x = random.standard_normal((33, 50), dtype=np.float32)
w = random.standard_normal((50, 20), dtype=np.float32)


def on(array):
    return Tensor(array)


def same(name, found, expected, tolerance=1e-5):
    np.testing.assert_allclose(found.numpy(), expected, rtol=tolerance, atol=tolerance, err_msg=name)
    print(name, "agrees")


exponents = np.exp(x - x.max(axis=1, keepdims=True))
same("sum", on(x) + on(x) * 2, 3 * x)
same("reduction", on(x).sum(), x.sum(), 1e-3)
same("softmax", on(x).softmax(), exponents / exponents.sum(axis=1, keepdims=True))
same("product", on(x) @ on(w), x @ w, 1e-4)
same("product of halves", on(x).half() @ on(w).half(), x @ w, 0.1)
same("integers", (on((x * 100).astype(np.int32)) // 7).cast(dtypes.int64), (x * 100).astype(np.int32) // 7)
windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3))
same("convolution", on(x[None, None]).conv2d(on(w[None, None, :3, :3]))[0, 0], (windows * w[:3, :3]).sum((2, 3)), 1e-4)
same("sorted", on(x[0]).sort()[0], np.sort(x[0]))
assert not [finding for finding in isa_device.findings if finding.is_error], isa_device.findings
print(isa_device.launches, "launches")
