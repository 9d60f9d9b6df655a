"""In Chromium: a game of each kind is begun by the form, players join with their phones, and everybody can use it."""

from __future__ import annotations

import json
import re
import shutil
import threading

import pytest
from markupsafe import Markup

from webui import seats
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.games import missile_command, tabletop_of
from webui.games.seating import SEATINGS
from webui.games.tabletop import Choice
from webui.guard import Guard
from webui.opening import Source, opened_table
from webui.page import create_app
from webui.samples import FOLDER
from webui.start import NothingKept

DEFCON = re.compile(r"DEFCON \d|No report")
SIZES = [(390, 844), (820, 1180), (1366, 768)]
GAMES = {"martian-mids": "mids-a", "missile-command": "silos-a", "pyramid-gran-prix": "race-a", "ziggurat": "towers-a"}


@pytest.fixture
def refusals():
    return ("400", "409")


@pytest.fixture
def address(live_of, address_of):
    """The page of an evening on which nothing was begun yet."""
    evening = Evening(live_of(None))
    evening.start()
    yield address_of(create_app(evening))
    evening.stop()


def test_a_kept_match_asks_only_where_its_pictures_come_from(opened, address_of, live_of):
    class One(NothingKept):
        def listed(self):
            return ({"id": "f" * 32, "title": "Martian Mids", "players": "Ann and Bob", "when": "today"},)

    page = opened(f"{address_of(create_app(Evening(live_of(None)), kept=One()))}start/")
    fields = {name: page.locator(f".kept input[name={name}]") for name in ("camera", "address", "folder")}
    for chosen in fields:
        page.locator(".kept select").select_option(chosen)
        assert [name for name, field in fields.items() if field.is_visible()] == [chosen]


@pytest.fixture
def first_photo(tmp_path):
    """A folder with the first photo of a game's sample, and what its game.json says of the players."""

    def made(game):
        folder, sample = tmp_path / "photos", FOLDER / GAMES[game]
        folder.mkdir()
        shutil.copy(next(iter(sorted(sample.glob("00.*")))), folder)
        return folder, json.loads((sample / "game.json").read_text(encoding="utf-8"))["players"]

    return made


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_begins_a_game_of_each_kind(opened, address, first_photo, game):
    folder, players = first_photo(game)
    seating, who = SEATINGS[game], SEATINGS[game].who.capitalize()
    page = opened(f"{address}start/")
    page.get_by_role("link", name=tabletop_of(game).TITLE).click()
    for n, player in enumerate(players, 1):
        if n > seating.fewest:
            page.get_by_role("button", name="Add a").click()
        page.get_by_label(f"{who} {n}").fill(f"{player['name']} {n}")
        if seating.field in player:
            page.locator(f"select[name=mark-{n - 1}]").select_option(player[seating.field])
    page.get_by_label("Folder or video").fill(str(folder))
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="The table is set").wait_for()
    assert page.url == address


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_wrong_is_in_view_and_nothing_is_lost(opened, address, width, height):
    page = opened(f"{address}start/pyramid-gran-prix", width, height)
    page.get_by_label("Driver 1").fill("Ann")
    page.get_by_label("Laps").fill("many")
    page.get_by_text("The umpire rolls when asked to").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("2 things are to be put right below.").wait_for()
    assert page.evaluate("document.activeElement.name") == "name-1"
    assert page.get_by_label("Driver 1").input_value() == "Ann"
    assert page.get_by_label("Laps").input_value() == "many"
    assert page.get_by_label("The umpire rolls when asked to").is_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_form_works_without_javascript(opened, address):
    page = opened(f"{address}start/ziggurat", java_script_enabled=False)
    page.get_by_label("Wizard 1").fill("Ann")
    page.get_by_role("button", name="Add a wizard").click()
    assert page.get_by_label("Wizard 1").input_value() == "Ann"
    assert page.locator("select[name=mark-2]").input_value() == "towers-3"
    page.get_by_role("button", name="Begin").click()
    assert "Give this wizard a name" in page.locator("#wrong-name-1").text_content()
    assert page.get_by_label("Wizard 1").input_value() == "Ann"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_start(opened, address, accessible, scheme):
    page = opened(f"{address}start/", color_scheme=scheme)
    accessible(page)
    for game in GAMES:
        page.goto(f"{address}start/{game}")
        for summary in page.locator("summary").all():
            summary.click()
        accessible(page)
    page.get_by_role("button", name="Begin").click()
    page.locator("#summary").wait_for()
    accessible(page)


def test_pages_are_light(opened, address):
    page = opened(f"{address}start/")
    came = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .reduce((sum, each) => sum + each.decodedBodySize, 0)"""
    for path in ("start/", "start/missile-command", "start/pyramid-gran-prix"):
        page.goto(address + path)
        assert 0 < page.evaluate(came) < 200_000


# Joining.


@pytest.fixture
def party(silo_live, address_of):
    """A Missile Command game shared with a network of one: (address, the main screen's link, live)."""
    live, guard = silo_live(), Guard(("127.0.0.1",))
    evening = Evening(live)
    evening.start()
    address = address_of(create_app(evening, guard=guard))
    yield address, f"{address}screen/{guard.screen_token}", live
    evening.stop()


@pytest.fixture
def phone_of(opened, party):
    """Joins a player with a phone: the link comes from the main screen, as the code there holds it."""
    address, screen, _ = party
    main = opened(screen)
    main.wait_for_url(address)
    main.goto(f"{address}seats")

    def joined(name, **more):
        main.reload()
        main.get_by_text(name, exact=True).click()
        link = main.locator("details[open] .link").text_content()
        phone = opened(link, 390, 844, **more)
        phone.wait_for_url(f"{address}mine")
        return phone

    joined.main = main
    return joined


COLOURS = ("black", "white", "blue", "green", "clear", "orange", "purple", "cyan")
BATTERY = {
    f"silo-{n}-{size}": "black" if n < 5 and size == "large" else COLOURS[(n + shift + 5) % 7 + 1]
    for n in range(1, 9)
    for shift, size in enumerate(("large", "medium", "small"))
}
FILL = """chosen => { for (const [name, value] of Object.entries(chosen)) {
  const field = document.querySelector(`select[name=${name}]`);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
} }"""


def test_a_battery_is_built_on_a_phone(phone_of, party, accessible):
    ann, bob = phone_of("Ann", color_scheme="dark"), phone_of("Bob")
    ann.evaluate(FILL, BATTERY | {"vice_president": "3"})
    ann.locator("select[name=president]").select_option("7")
    black = ann.locator("[data-used=black-large]")
    assert black.get_attribute("class") == "full"
    ann.locator("select[name=silo-5-large]").select_option("black")
    assert black.get_attribute("class") == "over"
    ann.get_by_role("button", name="Seal it").click()
    ann.get_by_text("one large black more than the four").wait_for()
    ann.locator("select[name=silo-5-large]").select_option("orange")
    accessible(ann)
    assert ann.evaluate("document.documentElement.scrollWidth") <= 390
    ann.get_by_role("button", name="Seal it").click()
    for phone in (ann, bob):
        phone.get_by_text("Ann has sealed the battery.").first.wait_for()
    ann.get_by_role("heading", name="Build your battery").wait_for(state="detached")
    assert bob.get_by_role("heading", name="Build your battery").count() == 1
    assert party[2].as_seen_by("Ann").batteries[0].president.silo == 7


TAP_TWICE = """() => {
  const seal = document.querySelector("#battery [value=seal]");
  const toast = document.querySelector(".toast");
  const tell = () => fetch("/told", { method: "POST", body: toast.textContent });
  new MutationObserver(tell).observe(toast, { childList: true });
  seal.click();
  setTimeout(() => seal.click(), 200);
}"""


def test_a_battery_is_sealed_while_the_umpire_looks_at_a_photo(phone_of, party, monkeypatch):
    """The page is where the first try was refused; what it asks for meanwhile leads nowhere else."""
    monkeypatch.setattr(seats, "TAKEN_S", 2.0)
    live, ann, looks, sent = party[2], phone_of("Ann"), threading.Event(), []
    told = []  # what the page says; then the form that it sent goes on

    def go_on(route):
        told.append(route.request.post_data)
        route.fulfill()
        sent[0].continue_()

    ann.evaluate(FILL, BATTERY | {"president": "7", "vice_president": ""})
    ann.get_by_role("button", name="Seal it").click()
    ann.get_by_text("Choose the silo under which your Vice President is.").wait_for()
    ann.locator("select[name=vice_president]").select_option("3")
    live._ask(looks.wait)
    ann.route("**/mine/battery", lambda route: sent.append(route))
    ann.route("**/told", go_on)
    ann.evaluate(TAP_TWICE)
    ann.get_by_text("The umpire is about to seal it").wait_for()
    assert (told, len(sent)) == (["The umpire is at work …"], 1)
    ann.get_by_role("button", name="Seal it").wait_for(state="detached")
    looks.set()
    ann.get_by_text("Ann has sealed the battery.").first.wait_for()
    ann.get_by_role("heading", name="Build your battery").wait_for(state="detached")
    assert live.moment().refused == ""


def test_a_phone_answers_with_dice_and_shows_what_is_secret(phone_of, party, accessible, monkeypatch):
    live, said = party[2], []
    monkeypatch.setattr(seats, "TAKEN_S", 0.0)
    monkeypatch.setattr(live, "declare", lambda *what: said.append(what) or threading.Event())
    dice = Choice("Roll for it", {"for": "turn"}, "Ann", dice=2, group="Dice")
    monkeypatch.setattr(missile_command, "choices", lambda *_: (dice,))
    monkeypatch.setattr(missile_command, "private", lambda _, player: Markup("<p>Only for {}</p>").format(player))
    ann, bob = phone_of("Ann"), phone_of("Bob")
    ann.get_by_text("Only for Ann").wait_for()
    assert "Only for Bob" not in ann.content()
    assert bob.get_by_role("button", name="Roll for it").count() == 0
    ann.get_by_role("group", name="Die 1").get_by_label("3").check()
    ann.get_by_role("group", name="Die 2").get_by_label("6").check()
    accessible(ann)
    with ann.expect_navigation(url="**/mine"):
        ann.get_by_role("button", name="Roll for it").click()
    assert said == [({"for": "turn", "roll": [3, 6]}, "Ann", "Roll for it: 3 and 6.")]


def test_a_phone_answers_defcon_by_its_sealed_battery(phone_of, party):
    """The drone was seen to be launched; the rest is said."""
    live = party[2]
    silos = [[{"colour": BATTERY[f"silo-{n}-{size}"]} for size in ("large", "medium", "small")] for n in range(1, 9)]
    for name in ("Ann", "Bob"):
        sealed = {"player": name, "battery": silos, "executives": {"president": 4, "vice_president": 6}}
        live.declare(sealed | {"salt": f"the salt of {name}, sealed"}, name)
    ann, bob = phone_of("Ann"), phone_of("Bob")
    for phone in (ann, bob):
        phone.get_by_role("heading", name="Your battery").wait_for()
    launched = next(n for n in range(1, 9) if BATTERY[f"silo-{n}-large"] == "clear")
    live._review._now.match.play(missile_command.GAME.parse(f"launch clear 1/{launched} at 2/7"))
    bob.get_by_role("button", name="Let it through").click()
    bob.get_by_role("button", name=DEFCON).first.click()
    ann.get_by_text(re.compile(r"Bob answers the drone: DEFCON \d\.")).first.wait_for()
    assert ann.get_by_role("button", name=DEFCON).count() == 0


def test_a_hand_is_seen_on_its_own_phone_only(opened, address_of, first_photo, accessible):
    folder, _ = first_photo("ziggurat")
    players = [{"name": name, "sheet": f"towers-{n}"} for n, name in enumerate(("Ann", "Bob"), 1)]
    seed = "a seed of these tests, not secret"
    game_file = game_file_from_json({"game": "ziggurat", "players": players, "deck": {"seed": seed}})
    live, guard = opened_table(game_file, Source(str(folder))), Guard(("127.0.0.1",))
    live.catch_up()
    app = create_app(Evening(live), guard=guard)
    address, phones = address_of(app), {}
    hands = {name: live.as_seen_by(name).deck.hand(n) for n, name in enumerate(("Ann", "Bob"), 1)}
    main = opened(f"{address}screen/{guard.screen_token}")
    main.wait_for_url(address)
    main.goto(f"{address}seats")
    for name in hands:
        link = main.locator("details", has_text=name).locator(".link").text_content()
        phones[name] = opened(link, 390, 844)
        phones[name].wait_for_url(f"{address}mine")
    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        own, page = phones[name].locator("[data-region=own]"), phones[name].content()
        assert own.locator("svg.card").count() == len(hands[name]) == 5
        assert all(card.name in page for card in hands[name])
        assert not [card for card in hands[other] if f">{card.name}<" in own.inner_html()]
        assert seed not in page
    accessible(phones["Ann"])
    assert phones["Ann"].evaluate("document.documentElement.scrollWidth") <= 390


def test_the_main_screens_codes_can_be_used_by_everybody(phone_of, accessible):
    main = phone_of.main
    accessible(main)
    main.get_by_text("Ann", exact=True).click()
    accessible(main)
    phone_of("Ann")
    main.reload()
    assert main.get_by_text("has joined", exact=True).count() == 1
