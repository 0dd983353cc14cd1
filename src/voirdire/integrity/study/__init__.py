"""A study of scored trials: do the judges agree, what do they measure, and do they cite what is there?"""

from voirdire.integrity.study.report import as_dict
from voirdire.integrity.study.whole import Study, study

__all__ = ["Study", "as_dict", "study"]
