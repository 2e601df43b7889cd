"""Processes that solve positions, so that the server itself never waits."""
