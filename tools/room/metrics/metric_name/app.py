from metrologue.pages.gradio_page import build

demo = build("metric_name", __file__)

if __name__ == "__main__":
    demo.launch()
