"""The DDFT paper's quick start: `from ddft import CognitiveProfiler` (paper, section 11.3)."""
