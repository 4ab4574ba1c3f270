from metrologue.pages.gradio_page import build

demo = build("squad_v2", __file__)

if __name__ == "__main__":
    demo.launch()
