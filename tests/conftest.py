"""Shared by all tests: the real parts they run on."""
