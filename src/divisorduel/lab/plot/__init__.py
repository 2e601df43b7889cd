"""Tables as plots."""
