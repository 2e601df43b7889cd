"""Campaigns that attack the program and the server; `scripts/attack` runs them."""
