"""The page of a comparison: one file of HTML that loads nothing."""
