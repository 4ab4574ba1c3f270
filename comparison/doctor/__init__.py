"""What is plainly wrong with the output of systems and with their references."""
