import pandas as pd
from scripts.make_published_table import published_table

from tests.published.records import TURNS
from voirdire.ddft.published import published_turns


def test_the_packaged_table_is_made_from_the_release():
    made = published_table(TURNS)
    packaged = published_turns()

    made["giveaway"] = made["giveaway"].replace("", None)
    packaged["giveaway"] = packaged["giveaway"].where(packaged["giveaway"].notna(), None)
    pd.testing.assert_frame_equal(made.astype(packaged.dtypes.to_dict()), packaged)
