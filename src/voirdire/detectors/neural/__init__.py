"""Detectors that are encoders: NLI, SelfCheckGPT's NLI score, MiniCheck, LettuceDetect, and what is trained here.

Nothing here is imported before such a detector is opened; what needs no torch stands in modules of its own.
"""
