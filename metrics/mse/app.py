from metrologue.pages.gradio_page import build_numbers

demo = build_numbers("mse", __file__)

if __name__ == "__main__":
    demo.launch()
