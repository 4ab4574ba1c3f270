"""What the tests of research take from those of the package."""

from everyday import ended_when, pytest_ignore_collect, pytest_unconfigure, root, shared_data, torch

__all__ = ["ended_when", "pytest_ignore_collect", "pytest_unconfigure", "root", "shared_data", "torch"]
