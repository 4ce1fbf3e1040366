"""The sum of two vectors."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_pointer, y_pointer, sum_pointer, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_pointer + offsets, mask=mask)
    y = tl.load(y_pointer + offsets, mask=mask)
    tl.store(sum_pointer + offsets, x + y, mask=mask)


def add(x, y):
    result = torch.empty_like(x)
    count = result.numel()
    add_kernel[(triton.cdiv(count, 1024),)](x, y, result, count, BLOCK=1024)
    return result


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = torch.rand(98432), torch.rand(98432)
    assert torch.equal(add(x, y), x + y)
    print("equal")
