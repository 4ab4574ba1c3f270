"""What people look at: Gradio pages, their folders as Spaces, and the page of a meta-evaluation.

It may import comparison, bridge and integrations, and what stands below them.
"""
