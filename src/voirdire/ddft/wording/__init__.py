"""The text of DDFT's reasons, notes, warnings and checks: the one place. For names of metrics see `metric_labels`."""

from voirdire.ddft.wording import checks as checks
from voirdire.ddft.wording import reasons_and_warnings as reasons_and_warnings
