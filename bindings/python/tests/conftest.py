"""Plug-ins of the tests."""

pytest_plugins = ["pytester"]
