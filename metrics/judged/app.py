from metrologue.pages.gradio_page import build

demo = build("judged", __file__)

if __name__ == "__main__":
    demo.launch()
