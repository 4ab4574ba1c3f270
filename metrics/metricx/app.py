from metrologue.pages.gradio_page import build

demo = build("metricx", __file__)

if __name__ == "__main__":
    demo.launch()
