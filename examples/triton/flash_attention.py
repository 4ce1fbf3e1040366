"""Attention in one pass over keys and values, which keeps the maximum and the sum of each row."""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_pointer, k_pointer, v_pointer, to_pointer, count, scale, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    head = tl.program_id(1) * count * WIDTH
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    width = tl.arange(0, WIDTH)
    q = tl.load(q_pointer + head + rows[:, None] * WIDTH + width, mask=rows[:, None] < count, other=0.0)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    sums = tl.zeros((BLOCK, WIDTH), tl.float32)
    for start in range(0, count, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        k = tl.load(k_pointer + head + keys[:, None] * WIDTH + width, mask=keys[:, None] < count, other=0.0)
        v = tl.load(v_pointer + head + keys[:, None] * WIDTH + width, mask=keys[:, None] < count, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(keys[None, :] < count, scores, -float("inf"))
        now = tl.maximum(largest, tl.max(scores, axis=1))
        weights = tl.exp(scores - now[:, None])
        shrink = tl.exp(largest - now)
        total = total * shrink + tl.sum(weights, axis=1)
        sums = sums * shrink[:, None] + tl.dot(weights.to(tl.float16), v)
        largest = now
    result = (sums / total[:, None]).to(tl.float16)
    tl.store(to_pointer + head + rows[:, None] * WIDTH + width, result, mask=rows[:, None] < count)


def attention(q, k, v):
    heads, count, width = q.shape
    result = torch.empty_like(q)
    grid = (triton.cdiv(count, 32), heads)
    attention_kernel[grid](q, k, v, result, count, width**-0.5, BLOCK=32, WIDTH=width)
    return result


if __name__ == "__main__":
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 100, 64).half() for _ in range(3))
    scores = torch.softmax(q.float() @ k.float().transpose(1, 2) * 64**-0.5, dim=2)
    assert torch.allclose(attention(q, k, v).float(), scores @ v.float(), atol=0.01)
    print("close")
