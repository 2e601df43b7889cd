"""Everything that is sent and received, declared and built here."""
