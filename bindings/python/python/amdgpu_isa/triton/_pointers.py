"""Tensors that a launch reaches through addresses in its arguments, such as those of a grouped product."""

import bisect
import contextlib
import gc
import sys

from .._native import mapped

# No program has data at lower addresses.
_LEAST = 1 << 22
# Tensors with more numbers hold data.
_MOST_NUMBERS = 1 << 16


def base_tensor(value):
    """Returns the tensor of a wrapper that changes its type."""
    while not hasattr(value, "untyped_storage") and hasattr(value, "base") and hasattr(value.base, "data_ptr"):
        value = value.base
    return value


def _addresses(torch, args):
    """Returns the numbers of 64 bits in arguments, and in tensors that are arguments, that may be addresses."""
    numbers = set()
    for kind, value in args:
        if kind in ("i64", "u64"):
            numbers.add(int(value))
        elif kind.startswith("*") and kind.endswith(("i64", "u64")):
            tensor = base_tensor(value)
            if not isinstance(tensor, torch.Tensor) or tensor.element_size() != 8:
                continue
            if 0 < tensor.numel() <= _MOST_NUMBERS:
                tensor = tensor.view(torch.int64)
                if int(tensor.max()) >= _LEAST:
                    numbers.update(tensor.flatten().tolist())
    numbers = [number for number in numbers if number >= _LEAST]
    return _in_memory(numbers) if numbers else []


def _in_memory(numbers):
    """Returns the numbers that are addresses of memory of the process, as far as the system says."""
    try:
        with open("/proc/self/maps") as maps:
            ranges = [[int(end, 16) for end in line.split(" ", 1)[0].split("-")] for line in maps]
    except OSError:
        return numbers
    return [number for number, _ in _held(numbers, ranges)]


def _held(numbers, ranges):
    """Yields the numbers that are in one of the ranges, each of which begins with its start and end, and that range."""
    ranges = sorted(ranges, key=lambda item: item[0])
    starts = [item[0] for item in ranges]
    for number in numbers:
        at = bisect.bisect_right(starts, number) - 1
        if at >= 0 and number < ranges[at][1]:
            yield number, ranges[at]


def _tensors(torch):
    """Returns a tensor for each memory that tensors on the CPU have, with start and end before it."""
    tensors = {}
    for candidate in gc.get_objects():
        if issubclass(type(candidate), torch.Tensor):
            # Tensors without memory, such as those of a trace, refuse.
            with contextlib.suppress(RuntimeError, NotImplementedError):
                if candidate.device.type == "cpu" and candidate.layout == torch.strided:
                    # Before torch 2.0 it was `storage`.
                    storage = getattr(candidate, "untyped_storage", candidate.storage)()
                    start = storage.data_ptr()
                    tensors[start] = (start, start + storage.nbytes(), candidate)
    return list(tensors.values())


def reached(args):
    """Maps the tensors whose addresses the arguments hold, types and values, while the context that it returns is open."""
    context = contextlib.ExitStack()
    torch = sys.modules.get("torch")
    addresses = _addresses(torch, args) if torch is not None else []
    if not addresses:
        return context
    found = {start: tensor for _, (start, _, tensor) in _held(addresses, _tensors(torch))}
    for tensor in found.values():
        # Of a view, all of its memory.
        context.enter_context(mapped(tensor))
    return context
