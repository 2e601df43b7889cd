"""What is fuzzed? Each module in this folder holds the targets of one kind."""
