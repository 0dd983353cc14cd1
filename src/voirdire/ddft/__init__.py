"""DDFT: the Drill-Down and Fabricate Test."""
