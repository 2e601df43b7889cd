"""The front door: one command each, and each room opened only when somebody enters it."""
