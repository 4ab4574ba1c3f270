"""What people look at: Gradio pages, their folders as Spaces, and HTML for notebooks."""
