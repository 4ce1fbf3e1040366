"""The softmax of each row of a matrix, with a row in registers."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(to_pointer, from_pointer, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    values = tl.load(from_pointer + row * stride + offsets, mask=offsets < columns, other=-float("inf"))
    numerators = tl.exp(values - tl.max(values, axis=0))
    tl.store(to_pointer + row * stride + offsets, numerators / tl.sum(numerators, axis=0), mask=offsets < columns)


def softmax(x):
    rows, columns = x.shape
    result = torch.empty_like(x)
    softmax_kernel[(rows,)](result, x, x.stride(0), columns, BLOCK=triton.next_power_of_2(columns))
    return result


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(182, 781)
    assert torch.allclose(softmax(x), torch.softmax(x, dim=1), atol=1e-6)
    print("close")
