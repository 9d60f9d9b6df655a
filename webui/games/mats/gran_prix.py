"""The race status mat: gear, speed, driver control, laps, the leader pylon, and the log of the umpire's dice."""

from __future__ import annotations

from markupsafe import Markup

from engine.games.gran_prix import STEPS, Row, State, next_up, status_mat
from webui.games.mats import disc, fact, joined, marks, order, player, seal, seals, the_mat, track
from webui.racetrack import numbered

PURPOSES = {  # what dice are rolled for, in words
    "pole": "for the pole position",
    "start": "to get going",
    "turn": "to turn",
    "adjust": "for two steps",
    "wait": "after the crash",
}
_MOST_LAPS = 10  # a track of more cells has no room: the words tell


def mat(state: State) -> Markup:
    """See `webui.games.tabletop.Tabletop.mat`."""
    rows, names = status_mat(state), next_up(state).cars
    by_name = {row.car: row for row in rows.rows}
    most = max((row.laps for row in rows.rows), default=0)
    places = order(
        f"Leader pylon, round {state.round_number}",
        ((disc(state.by_name[name].colour), _name(by_name[name]), name in names) for name in rows.pylon),
    )
    cars = (_car(state, by_name[name], most, name in names) for name in rows.pylon)
    return the_mat(
        "Race status", places, Markup('<div class="mat-players">{}</div>').format(joined(cars)), _dice(state)
    )


def _car(state: State, row: Row, most: int, is_next: bool) -> Markup:
    laps = max(row.laps, 0)
    cells = [str(lap) for lap in range(max(most, 0), -1, -1)]
    facts = [
        fact("Gear and speed", _speed_words(row), _ladder(row.speed)),
        fact("Driver control", row.control, marks(row.control, 3)),
        fact("Laps", laps, track(cells, str(laps)) if len(cells) <= _MOST_LAPS else ""),
    ]
    if row.waiting:
        facts.append(fact("Crashed", f"waits {row.waiting} {'phase' if row.waiting == 1 else 'phases'} more"))
    return player(_name(row), facts, disc(state.by_name[row.car].colour), is_next=is_next)


def _dice(state: State) -> Markup:
    """The commitment of the umpire's dice and every throw of theirs; their seed once somebody has won."""
    dice = state.dice
    if dice is None:
        return Markup("")
    seed = dice.seed if state.winner is not None else None
    words = "Commitment of the dice" if seed is None else f"The seed of the dice was {seed}; its commitment"
    throws = joined(
        Markup("<li>{} {}: <b>{}</b></li>").format(
            roll.car, PURPOSES[roll.purpose], " and ".join(map(str, roll.dice or ()))
        )
        for roll in dice.thrown
    )
    log = Markup('<ol class="mat-throws">{}</ol>').format(throws) if dice.thrown else Markup("")
    return seals("The umpire\u2019s dice", seal(words, dice.commitment), log)


def _name(row: Row) -> str:
    return f"{row.car} · {numbered(row)}" if row.is_shared else row.car


def _speed_words(row: Row) -> str:
    return "stopped" if row.speed == STEPS[0] else f"gear {row.speed[0]}, speed {row.speed[2]}"


def _ladder(speed: str) -> Markup:
    """Stopped, then a row of three speeds for each gear."""
    gears = (track([step for step in STEPS[1:] if step[0] == gear], speed) for gear in "123")
    return Markup('<span class="mat-ladder" aria-hidden="true">{}{}</span>').format(
        track(["0"], _at(speed)), joined(gears)
    )


def _at(speed: str) -> str:
    return "0" if speed == STEPS[0] else ""
