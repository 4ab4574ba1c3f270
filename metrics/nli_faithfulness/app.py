from metrologue.pages.gradio_page import build

demo = build("nli_faithfulness", __file__)

if __name__ == "__main__":
    demo.launch()
