"""The DDFT paper's quick start (section 11.3): `from ddft import CognitiveProfiler`."""

from voirdire.ddft.cognitive_profiler import CognitiveProfile, CognitiveProfiler

__all__ = ["CognitiveProfile", "CognitiveProfiler"]
