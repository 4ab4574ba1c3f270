"""Files: texts that are read, results that are written, and the cache."""
