"""Never says anything."""

import sys

sys.stdin.read()
