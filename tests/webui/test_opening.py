"""How a table begins that nobody keeps."""

from __future__ import annotations

from webui.gamefile import game_file_from_json
from webui.opening import Source, beginning

WIZARDS = {"game": "ziggurat", "players": [{"name": "Ann"}, {"name": "Bob"}], "deck": True}


def test_what_the_umpire_deals_is_dealt_anew_each_time(tmp_path):
    begin = beginning(game_file_from_json(WIZARDS), Source(str(tmp_path)))
    seeds = {begin().game_file.setup["deck"]["seed"] for _ in range(2)}
    assert len(seeds) == 2
