"""Networks that read more than a row of features: each module has one, and what trains it."""
