"""voirdire puts language models on the stand: cross-examination, jury, and an audit of the test itself."""

__version__ = "0.1.0"
