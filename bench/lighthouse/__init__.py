"""Lighthouse on the page."""
