"""Packaged data and its loaders: concepts, presets, prompts, lexicons.

The ground floor beside `records`: it reads files of this package and knows nothing else of the program.
"""
