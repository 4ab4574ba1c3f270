from metrologue.pages.gradio_page import build

demo = build("codebleu", __file__)

if __name__ == "__main__":
    demo.launch()
