from metrologue.pages.gradio_page import build

demo = build("perception_score", __file__)

if __name__ == "__main__":
    demo.launch()
