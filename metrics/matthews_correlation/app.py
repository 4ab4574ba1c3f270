from metrologue.pages.gradio_page import build

demo = build("matthews_correlation", __file__)

if __name__ == "__main__":
    demo.launch()
