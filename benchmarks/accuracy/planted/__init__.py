"""Result files with one known defect each, and clean ones: what an audit of evaluations is measured on.

`study` is an evaluation in memory, `texts` what is asked and answered, `clean` the evaluations without a defect, `formats`
writes them as other people's tools do, and `plants` puts the defects in. `benchmarks.accuracy.planted_defects` runs them.
"""
