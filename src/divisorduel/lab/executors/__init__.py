"""Where the tasks of a table run."""
