from metrologue.pages.gradio_page import build

demo = build("word_gap", __file__)

if __name__ == "__main__":
    demo.launch()
