"""What several metrics share: a base class, its counts and its trace. A family is no metric."""
