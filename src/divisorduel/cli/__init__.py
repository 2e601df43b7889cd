"""The front door: one thin module for each command."""
