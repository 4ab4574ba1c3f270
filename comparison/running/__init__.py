"""The libraries run beside our scorers, each in a process of its own."""
