"""Statistics: arrays in, NamedTuples out. Knows nothing of language models."""

from voirdire.stats.agreement import (
    Estimate,
    Intraclass,
    cohen_kappa,
    effective_raters,
    gwet_ac,
    intraclass,
    krippendorff_alpha,
    leniency,
)
from voirdire.stats.association import (
    Anova,
    ExactCorrelation,
    detectable_correlation,
    exact_correlation,
    one_way_anova,
)
from voirdire.stats.bootstrap import bca, studentised
from voirdire.stats.comparison import (
    Ranks,
    SwapTest,
    holm,
    paired_effect,
    rank_probabilities,
    sign_flip,
    superiority,
    swap_test,
)
from voirdire.stats.correlation import Correlation, spearman
from voirdire.stats.intervals import (
    Interval,
    bootstrap_weights,
    clustered_share,
    jackknife_t,
    percentile,
    share_interval,
)
from voirdire.stats.misclassification import Corrected, CorrectedShares, Rate, corrected_share, corrected_shares
from voirdire.stats.power import (
    SimulatedPower,
    clusters_for_swaps,
    clusters_needed,
    paired_power,
    simulated_power,
    smallest_difference,
)
from voirdire.stats.prediction_powered import Anchored, FurtherRatings, anchored_mean, further_ratings
from voirdire.stats.sequential import next_analysis_size, nominal_level
from voirdire.stats.variance import Split, split_variance, without_negatives

__all__ = [
    "Anchored",
    "Anova",
    "Corrected",
    "CorrectedShares",
    "Correlation",
    "Estimate",
    "ExactCorrelation",
    "FurtherRatings",
    "Interval",
    "Intraclass",
    "Ranks",
    "Rate",
    "SimulatedPower",
    "Split",
    "SwapTest",
    "anchored_mean",
    "bca",
    "bootstrap_weights",
    "clustered_share",
    "clusters_for_swaps",
    "clusters_needed",
    "cohen_kappa",
    "corrected_share",
    "corrected_shares",
    "detectable_correlation",
    "effective_raters",
    "exact_correlation",
    "further_ratings",
    "gwet_ac",
    "holm",
    "intraclass",
    "jackknife_t",
    "krippendorff_alpha",
    "leniency",
    "next_analysis_size",
    "nominal_level",
    "one_way_anova",
    "paired_effect",
    "paired_power",
    "percentile",
    "rank_probabilities",
    "share_interval",
    "sign_flip",
    "simulated_power",
    "smallest_difference",
    "spearman",
    "split_variance",
    "studentised",
    "superiority",
    "swap_test",
    "without_negatives",
]
