from metrologue.pages.gradio_page import build

demo = build("tesla_celab", __file__)

if __name__ == "__main__":
    demo.launch()
