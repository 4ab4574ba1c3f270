"""What a comparison found, as sentences, Markdown, LaTeX, drawings and lines of a terminal."""
