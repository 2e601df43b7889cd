"""Tables as pictures."""
