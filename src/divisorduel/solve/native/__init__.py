"""The native kernel's bindings."""
