"""The page of all metrics, for a Space."""

from metrologue.pages.gradio_page import build_all

demo = build_all(__file__)

if __name__ == "__main__":
    demo.launch()
