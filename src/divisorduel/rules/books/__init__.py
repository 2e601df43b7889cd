"""The rule books, one file each. Whatever lies here is found by the catalogue."""
