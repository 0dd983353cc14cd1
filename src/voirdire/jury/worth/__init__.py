"""What a judge is worth: its verdicts held against a few ratings by people; pure, from a table of both.

from voirdire.jury.worth import judge_worth
judge_worth(verdicts, people, models, clusters)
"""

from voirdire.jury.worth.assessment import judge_worth
from voirdire.jury.worth.records import Conclusion, Worth, WorthSettings

__all__ = ["Conclusion", "Worth", "WorthSettings", "judge_worth"]
