"""Where is it stored?"""
