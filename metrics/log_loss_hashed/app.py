from metrologue.pages.gradio_page import build

demo = build("log_loss_hashed", __file__)

if __name__ == "__main__":
    demo.launch()
