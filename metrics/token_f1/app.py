from metrologue.pages.gradio_page import build

demo = build("token_f1", __file__)

if __name__ == "__main__":
    demo.launch()
