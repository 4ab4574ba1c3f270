"""The networks of single metrics, each with the training that makes it."""
