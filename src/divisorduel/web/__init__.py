"""Where do people meet it in a browser, and programs over a network?"""
