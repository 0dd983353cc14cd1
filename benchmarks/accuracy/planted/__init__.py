"""Result files with one known defect each, and clean ones: what an audit of evaluations is measured on.

`study` is an evaluation in memory, `texts` what is asked and answered, `clean` the evaluations without a defect,
`formats` writes them as other people's tools do, `plants` puts the defects in, and `legitimate` says which findings on
clean evaluations are right. `benchmarks.accuracy.planted_defects` runs them.
"""
