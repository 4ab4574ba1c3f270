"""Speed, side by side: each figure is a ratio to a peer that ran in the same minutes on the same text."""
