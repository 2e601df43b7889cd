"""Ends before it greets."""

import sys

sys.exit("I do not want to play.")
