"""The product of two matrices of 16-bit floats, with WMMA instructions."""

import torch
import triton
import triton.language as tl


@triton.jit
def product_kernel(a_pointer, b_pointer, c_pointer, M, N, K, BLOCK: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, K, STEP):
        steps = start + tl.arange(0, STEP)
        a = tl.load(a_pointer + rows[:, None] * K + steps, mask=(rows[:, None] < M) & (steps < K), other=0.0)
        b = tl.load(b_pointer + steps[:, None] * N + columns, mask=(steps[:, None] < K) & (columns < N), other=0.0)
        sums += tl.dot(a, b)
    c = c_pointer + rows[:, None] * N + columns
    tl.store(c, sums.to(tl.float16), mask=(rows[:, None] < M) & (columns < N))


def product(a, b):
    (rows, inner), columns = a.shape, b.shape[1]
    c = torch.empty((rows, columns), dtype=torch.float16)
    grid = (triton.cdiv(rows, 32), triton.cdiv(columns, 32))
    product_kernel[grid](a, b, c, rows, columns, inner, BLOCK=32, STEP=32)
    return c


if __name__ == "__main__":
    torch.manual_seed(0)
    a, b = torch.randn(100, 130).half(), torch.randn(130, 70).half()
    assert torch.allclose(product(a, b).float(), a.float() @ b.float(), atol=0.05, rtol=0.01)
    print("close")
