"""Benchmarks, most of them against a peer in the same run, because machines are noisy."""
