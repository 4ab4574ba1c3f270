"""The metrics as modules of Hugging Face `evaluate`; nothing else in the package knows it."""
