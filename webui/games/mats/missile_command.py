"""Missile Command: silos left, who stands exposed, shields with their remaining time, air wings. No secrets."""

from __future__ import annotations

from markupsafe import Markup

from engine.games.missile_command import Fate, Shield, Silo, State, chooser, in_words
from engine.games.missile_command.batteries import Battery, Seal
from webui.games.mats import fact, joined, player, seal, seals, the_mat


def mat(state: State) -> Markup:
    """See `webui.games.tabletop.Tabletop.mat`."""
    players = joined(_player(state, number) for number in state.numbers)
    sealed = (
        _seal(player.name, one.seal, state.is_over) for player, one in zip(state.players, state.batteries, strict=True)
    )
    shown = Markup('<div class="mat-players">{}</div>').format(players)
    return the_mat(in_words(state.options, "Batteries"), shown, seals("Seals", *sealed))


def _seal(name: str, sealed: Seal | None, is_open: bool) -> Markup:
    """What was committed to; with it, once the game is over, what opens it."""
    if sealed is None:
        return Markup("")
    shown = seal(name, sealed.commitment)
    if not is_open or sealed.salt is None or sealed.text is None:
        return shown
    return shown + Markup("<p>salt <code>{}</code></p><pre>{}</pre>").format(sealed.salt, sealed.text)


def _player(state: State, number: int) -> Markup:
    battery = state.battery(number)
    awaited = (chooser(state) if state.blocking else state.turn) == number and not state.is_over
    facts = [] if battery.is_out else _facts(state, battery)
    told = (fact(in_words(state.options, what), in_words(state.options, words), marks) for what, words, marks in facts)
    return player(state.name_of(number), told, remark="out" if battery.is_out else "", is_next=awaited)


def _facts(state: State, battery: Battery) -> list[tuple[str, str, Markup | str]]:
    silos = [silo for silo in battery.silos if silo.left]
    missiles = sum(silo.left for silo in silos)
    found: list[tuple[str, str, Markup | str]] = [
        ("silos left", f"{len(silos)}, with {missiles} missiles", _silos(battery.silos)),
        ("air wing", ", ".join(str(size) for size in battery.air_wing) or "none", ""),
        ("exposed", ", ".join(_with(battery, Fate.EXPOSED)) or "nobody", ""),
    ]
    if gone := _with(battery, Fate.DESTROYED):
        found.append(("destroyed", ", ".join(gone), ""))
    if battery.shield is not None:
        found.append(("defence system", _shield_words(state, battery.shield), ""))
    if battery.on_its_way is not None:
        target = battery.on_its_way.target
        whom = state.name_of(target) if target is not None else "somebody"
        found.append(("on its way", f"{battery.on_its_way.missile} at {whom}", ""))
    return found


def _with(battery: Battery, fate: Fate) -> list[str]:
    return [name for name, one in battery.executives if one.fate is fate]


def _shield_words(state: State, shield: Shield) -> str:
    """Until when it is up, and how many turns that is, this one included; turns of the eliminated count (MC-15)."""
    seats = len(state.numbers)
    away = (state.numbers.index(shield.number) - state.numbers.index(state.turn)) % seats
    turns = away + 1 + seats * (shield.ends - 1)
    if turns == 1:
        return "up until this turn ends"
    return (
        f"up until {state.name_of(shield.number)}'s {'next ' if not away else ''}turn ends, {turns} turns with this one"
    )


def _silos(silos: tuple[Silo, ...]) -> Markup:
    """Eight columns of up to three pips: how many missiles are left; a damaged one is marked."""
    one = Markup('<i class="mat-silo"><b>{}</b>{}{}</i>')
    pip, sign = Markup('<u class="mat-full"></u>'), Markup("<em>!</em>")
    found = (
        one.format(n, joined([pip] * silo.left), sign if silo.is_damaged else "") for n, silo in enumerate(silos, 1)
    )
    return Markup('<span class="mat-silos" aria-hidden="true">{}</span>').format(joined(found))
