"""What a comparison finds: numbers, groups of equal numbers, gaps and their causes, orders, intervals and tests."""
