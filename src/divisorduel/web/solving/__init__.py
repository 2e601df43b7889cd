"""Processes that solve, so that the server never waits."""
