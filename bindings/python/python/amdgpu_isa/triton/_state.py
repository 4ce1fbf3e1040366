"""The settings of launches, apart from Triton, which need not be installed."""

import contextlib
import os
import threading
import warnings

_local = threading.local()


class FindingWarning(UserWarning):
    """A check has found a fault of a kernel."""


@contextlib.contextmanager
def check():
    """Checks the launches of the thread in the context; the findings are in the list that it gives."""
    before, findings = getattr(_local, "findings", None), []
    _local.findings = findings
    try:
        yield findings
    finally:
        _local.findings = before


def options():
    """Returns the keywords of a launch."""
    chosen = {}
    if getattr(_local, "findings", None) is not None or os.environ.get("AMDGPU_ISA_CHECK") == "1":
        chosen["check"] = True
    timeout = os.environ.get("AMDGPU_ISA_TIMEOUT")
    if timeout:
        chosen["timeout"] = float(timeout)
    return chosen


def report(findings):
    """Passes findings on: to the context, or as warnings without those that are notes."""
    listed = getattr(_local, "findings", None)
    if listed is not None:
        listed.extend(findings)
        return
    for finding in (finding for finding in findings if finding.is_error):
        warnings.warn(str(finding), FindingWarning, stacklevel=2)


class _Tensor:
    """An array with the methods of a tensor that Triton calls."""

    def __init__(self, array):
        self.array, self.dtype, self.shape, self.nbytes = array, array.dtype, array.shape, array.nbytes

    def data_ptr(self):
        return self.array.__array_interface__["data"][0]


def tensor(array):
    """Returns an array of NumPy as an argument of Triton's kernels, in place."""
    return _Tensor(array)
