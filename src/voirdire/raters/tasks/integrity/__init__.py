"""Rating responses by deductions from 100 (the deduction guide, version 1.0)."""
