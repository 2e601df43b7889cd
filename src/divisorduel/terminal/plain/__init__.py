"""The rule books' own lines, for any pipe or terminal."""
