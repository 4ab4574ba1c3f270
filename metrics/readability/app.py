from metrologue.pages.gradio_page import build

demo = build("readability", __file__)

if __name__ == "__main__":
    demo.launch()
