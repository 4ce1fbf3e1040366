"""Tests of the kernels: ``pytest --isa-gpu`` runs them on the CPU, with checks and lint."""

import pytest
import torch

from flash_attention import attention
from layer_norm import layer_norm
from matrix_product import product
from softmax import softmax
from vector_sum import add


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


@pytest.mark.parametrize("count", [1, 1000, 5000])
def test_sum(isa_device, count):
    x, y = torch.rand(count, device=isa_device), torch.rand(count, device=isa_device)
    assert torch.equal(add(x, y), x + y)


@pytest.mark.parametrize("columns", [1, 33, 200])
def test_softmax(isa_device, columns):
    x = torch.randn(5, columns, device=isa_device)
    assert torch.allclose(softmax(x), torch.softmax(x, dim=1), atol=1e-6)


def test_layer_norm(isa_device):
    x, weight, bias = (torch.rand(size, device=isa_device) for size in ((4, 300), (300,), (300,)))
    expected = torch.nn.functional.layer_norm(x, (300,), weight, bias)
    assert torch.allclose(layer_norm(x, weight, bias), expected, atol=1e-5)


def test_product(isa_device):
    a, b = torch.randn(40, 70, device=isa_device).half(), torch.randn(70, 33, device=isa_device).half()
    assert torch.allclose(product(a, b).float(), a.float() @ b.float(), atol=0.05, rtol=0.01)


def test_attention(isa_device):
    q, k, v = (torch.randn(1, 50, 64, device=isa_device).half() for _ in range(3))
    scores = torch.softmax(q.float() @ k.float().transpose(1, 2) * 64**-0.5, dim=2)
    assert torch.allclose(attention(q, k, v).float(), scores @ v.float(), atol=0.01)
