"""`voirdire ddft replicate`: the published study, recomputed."""
