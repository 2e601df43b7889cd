"""Engines that break the protocol, each in its own way; `good.py` follows it."""
