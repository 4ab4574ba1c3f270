from metrologue.pages.gradio_page import build

demo = build("wiki_split", __file__)

if __name__ == "__main__":
    demo.launch()
