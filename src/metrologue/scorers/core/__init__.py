"""What all scorers have in common: options, shapes, joins, totals, variants, and the registry of metrics."""
