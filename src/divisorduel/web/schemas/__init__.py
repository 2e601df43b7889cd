"""What is sent and received, declared once."""
