"""What the paper prints."""

# DDFT Table 2: CI, HOC, CRI, FAR', SAS', phenotype; and section 8.2.3: danger-zone rate in percent.
TABLE_2 = {
    "o4-mini": (0.914, 1.000, 0.872, 0.831, 0.877, "Robust", 14.0),
    "grok-4-fast-non-reasoning": (0.911, 0.969, 0.862, 0.787, 0.870, "Robust", 17.0),
    "mistral-medium-2505": (0.752, 0.938, 0.828, 0.859, 0.828, "Robust", 10.0),
    "gpt-oss-120b": (0.659, 0.812, 0.844, 0.881, 0.840, "Competent", 23.0),
    "o3": (0.628, 1.000, 0.769, 0.981, 0.757, "Competent", 14.0),
    "phi-4": (0.545, 0.938, 0.671, 0.820, 0.667, "Brittle", 10.0),
    "gpt-5": (0.534, 1.000, 0.690, 0.982, 0.690, "Brittle", 4.0),
    "Llama-4-Maverick-17B-128E-Instruct-FP8": (0.510, 0.969, 0.647, 0.869, 0.641, "Brittle", 7.5),
    "claude-haiku-4-5": (0.468, 1.000, 0.612, 0.922, 0.615, "Brittle", 1.5),
}
