from metrologue.pages.gradio_page import build_comparison

demo = build_comparison("approximate_randomization", __file__)

if __name__ == "__main__":
    demo.launch()
