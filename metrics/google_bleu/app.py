from metrologue.pages.gradio_page import build

demo = build("google_bleu", __file__)

if __name__ == "__main__":
    demo.launch()
