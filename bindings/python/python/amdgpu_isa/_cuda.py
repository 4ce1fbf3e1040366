"""Stands in for the device "cuda" of torch: tests that name it get tensors on the CPU."""

from __future__ import annotations

import importlib
import time
from typing import Any, Callable

# Kernels are launched in order, and have ended when a launch returns: streams have nothing to do.


class _Stream:
    """A stream, or a context that selects a device or a stream."""

    cuda_stream = 0

    def __init__(self, *arguments: object, **keywords: object) -> None:
        pass

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def wait_stream(self, stream: object) -> None:
        pass

    def wait_event(self, event: object) -> None:
        pass


class _Event:
    """An event, which takes the time of the host."""

    def __init__(self, *arguments: object, **keywords: object) -> None:
        self._time = 0.0

    def record(self, stream: object = None) -> None:
        self._time = time.perf_counter()

    def elapsed_time(self, other: _Event) -> float:
        return (other._time - self._time) * 1e3

    def synchronize(self) -> None:
        pass

    def query(self) -> bool:
        return True


class _Properties:
    """The properties of a device."""

    major, minor, name, gcnArchName = 11, 0, "amdgpu-isa", "gfx1100"
    multi_processor_count, warp_size, total_memory, shared_memory_per_block = 2, 32, 1 << 33, 65536


def _nothing(*arguments: object, **keywords: object) -> None:
    pass


def _stand_ins(torch: Any) -> dict[str, Any]:
    """Returns the functions and classes of ``torch.cuda`` that are replaced."""
    return {
        "is_initialized": lambda: True,
        "is_current_stream_capturing": lambda: False,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "get_device_capability": lambda device=None: (11, 0),
        "get_device_properties": lambda device=None: _Properties,
        "get_device_name": lambda device=None: _Properties.name,
        "get_rng_state": lambda device=None: torch.get_rng_state(),
        "set_rng_state": lambda state, device=None: torch.set_rng_state(state),
        "current_stream": _Stream,
        "default_stream": _Stream,
        "Stream": _Stream,
        "stream": _Stream,
        "device": _Stream,
        "Event": _Event,
        **dict.fromkeys(
            ("_lazy_init", "empty_cache", "init", "manual_seed", "manual_seed_all", "set_device", "synchronize"),
            _nothing,
        ),
    }


def install(*, is_available: bool = True) -> Callable[[], None]:
    """Makes "cuda" a name of the CPU, where torch is installed. Returns a function that undoes it.

    ``is_available`` is what ``torch.cuda.is_available()`` returns.
    """
    try:
        torch = importlib.import_module("torch")
        overrides = importlib.import_module("torch.overrides")
    except ImportError:
        return _nothing

    def moved(value: Any) -> Any:
        if isinstance(value, str) and value.split(":")[0] == "cuda":
            return "cpu"
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("cpu")
        # The index of a device, as ``torch.cuda.current_device()`` returns it.
        return "cpu" if type(value) is int else value

    class ToCpu(overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
        """Replaces the device "cuda" in the arguments of torch's functions."""

        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            name = getattr(function, "__name__", "")
            if name in ("cuda", "pin_memory"):
                return args[0]
            if name == "__get__" and getattr(getattr(function, "__self__", None), "__name__", "") == "is_cuda":
                return True
            kwargs.pop("pin_memory", None)
            if "device" in kwargs:
                kwargs["device"] = moved(kwargs["device"])
            if name == "to":
                args = (*args[:1], *(moved(value) for value in args[1:]))
            return function(*args, **kwargs)

    stand_ins = {**_stand_ins(torch), "is_available": lambda: is_available}
    before = {name: getattr(torch.cuda, name) for name in stand_ins if hasattr(torch.cuda, name)}
    mode = ToCpu()
    for name, stand_in in stand_ins.items():
        setattr(torch.cuda, name, stand_in)
    mode.__enter__()

    def undo() -> None:
        mode.__exit__(None, None, None)
        for name, original in before.items():
            setattr(torch.cuda, name, original)

    return undo
