"""In calibration everybody sees what others say, once they have rated: whoever came first, later."""

from tests.extras.raters._serving import begin, browser, rate

STAYS = "stays as it was first given; what others say stands here once they have rated the same."


def test_whoever_was_first_sees_what_others_say_later_under_done(serving):
    server = serving(calibration=1)
    with browser(server, follow_redirects=True) as client:
        first = rate(client, begin(client, server.path("Ann")).text, far="0.4", sas="0.4").text
        assert "Turn 2 of" in first and "Nobody else has rated it yet." in first
        assert "feedback has been shown" not in first
        rate(client, begin(client, server.path("Ben")).text, far="0.9", sas="0.7")

        done = client.get(f"{server.path('Ann')}/finished").text
        address = f"{server.path('Ann')}/item/1"
        assert f'href="{address}"' in done
        later = client.get(address).text
        assert "What others say of it:" in later and "0.9" in later and STAYS in later
        assert "Nobody else" not in later
