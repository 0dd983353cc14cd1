import pandas as pd

from tests.published.records import TURNS
from voirdire.ddft.published.make import published_table
from voirdire.ddft.published.record import published_turns


def test_the_packaged_table_is_made_from_the_release():
    made = published_table(TURNS)
    packaged = published_turns()

    made["giveaway"] = made["giveaway"].replace("", None)
    packaged["giveaway"] = packaged["giveaway"].where(packaged["giveaway"].notna(), None)
    pd.testing.assert_frame_equal(made.astype(packaged.dtypes.to_dict()), packaged)
