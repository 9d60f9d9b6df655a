"""Martian Mids: giant robots, stacks of upright pyramids, on a chessboard.

So far the umpire rules on initiative, turn order and moves. Shooting, attacking and everything that a missile does is
recognised as such and left to the players: `explain` says that it is beyond it. Rule sections are the fifth draft's.
Squares are written as on a chessboard: a1 bottom left, h8 top right. Directions go by the compass, north up the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby, permutations
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.game import Explanation, Touch
from engine.rules import Ending, Outcome, Rule, RuleViolation
from engine.table import Colour, Pyramid, Scene, Stack

# ---------------------------------------------------------------------------------------------------------- Rules

TURN_ORDER = Rule("turn-order", "In each round every player acts once, in the order of initiative.", "V.1, V.2")
A_MID_ACTS = Rule("a-mid-acts", "Only a Mid on the board can move.", "V.2")
STRAIGHT = Rule("straight-line", "A Mid moves in one straight line, along a rank, a file or a diagonal.", "V.2.B")
DISTANCE = Rule("move-distance", "A Mid moves at most as many squares as it has pyramids.", "V.2.B")
NOT_ZERO = Rule("not-zero", "A move goes at least one square.", "V.2.B")
ON_THE_BOARD = Rule("stay-on-board", "A Mid cannot move off the board.", "V.2.B")
NOT_THROUGH = Rule(
    "not-through-mids", "A moving Mid stops before another Mid: it neither enters nor jumps it.", "house ruling"
)
HANDS_OFF = Rule("hands-off", "Only what an action names may change on the board.", "house ruling")

RULES = (TURN_ORDER, A_MID_ACTS, STRAIGHT, DISTANCE, NOT_ZERO, ON_THE_BOARD, NOT_THROUGH, HANDS_OFF)

# ------------------------------------------------------------------------------- Position, State, Move, Options

FILES, RANKS = "abcdefgh", "12345678"
COMPASS = ("e", "ne", "n", "nw", "w", "sw", "s", "se")  # every 45 degrees, counter-clockwise from the x axis
FULL_ARMY_PIPS = 30
REACH_OF_A_SHOVE = 2


@dataclass(frozen=True, order=True)
class Square:
    """A square by its file and rank, 0..7.

    >>> str(Square.parse("c4"))
    'c4'
    """

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{FILES[self.file]}{RANKS[self.rank]}"

    @classmethod
    def parse(cls, text: str) -> Square:
        if not is_square(text):
            raise InvalidNotation(text, "a square such as c4")
        return cls(FILES.index(text[0]), RANKS.index(text[1]))

    def step_to(self, other: Square) -> tuple[int, int, int] | None:
        """(file step, rank step, squares) of the straight way to `other`; None if there is none or it is here."""
        files, ranks = other.file - self.file, other.rank - self.rank
        count = max(abs(files), abs(ranks))
        if count == 0 or (files and ranks and abs(files) != abs(ranks)):
            return None
        return files // count, ranks // count, count

    def between(self, other: Square) -> tuple[Square, ...]:
        """The squares strictly between two in a straight line."""
        step = self.step_to(other)
        if step is None:
            return ()
        return tuple(Square(self.file + step[0] * n, self.rank + step[1] * n) for n in range(1, step[2]))

    def neighbours(self) -> tuple[Square, ...]:
        around = [(self.file + f, self.rank + r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]
        return tuple(Square(f, r) for f, r in around if 0 <= f < 8 and 0 <= r < 8)


def is_square(text: str | None) -> bool:
    return text is not None and len(text) == 2 and text[0] in FILES and text[1] in RANKS


BOARD = tuple(Square(f, r) for r in range(8) for f in range(8))


@dataclass(frozen=True)
class Mid:
    """A stack of upright pyramids, bottom first, and the colour of its stand, if it is known."""

    pyramids: tuple[Pyramid, ...]
    stand: Colour | None = None

    def __str__(self) -> str:
        return " under ".join(str(pyramid) for pyramid in self.pyramids)

    @property
    def top(self) -> Pyramid:
        return self.pyramids[-1]


@dataclass(frozen=True)
class Missile:
    """A lying pyramid and where it points."""

    pyramid: Pyramid
    direction: str
    stand: Colour | None = None

    def __str__(self) -> str:
        return f"{self.pyramid} pointing {self.direction}"


@dataclass(frozen=True)
class Position:
    """What can be seen on the board: at most one Mid a square, any number of missiles. Both in the board's order."""

    mids: tuple[tuple[Square, Mid], ...] = ()
    missiles: tuple[tuple[Square, Missile], ...] = ()

    @classmethod
    def of(cls, mids: dict[Square, Mid], missiles: Iterable[tuple[Square, Missile]] = ()) -> Position:
        ordered = sorted(missiles, key=lambda pair: (pair[0], pair[1].direction, str(pair[1])))
        return cls(tuple(sorted(mids.items(), key=lambda pair: pair[0])), tuple(ordered))

    def mid_at(self, square: Square) -> Mid | None:
        return dict(self.mids).get(square)


@dataclass(frozen=True)
class Player:
    """A player's name and the colour of their stands."""

    name: str
    stand: Colour


@dataclass(frozen=True)
class Options:
    """Switches for rules that groups play differently. None yet: moves have no disputed reading but the house's."""


@dataclass(frozen=True)
class State:
    """The board and what must be remembered.

    `order` is this round's initiative: groups of players, each of one player unless a tie has not been decided.
    `acted` are those whose turn of this round is over, in order.
    """

    players: tuple[Player, ...]
    position: Position
    round_number: int
    order: tuple[tuple[str, ...], ...]
    acted: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Who may act now: one player, or several whose tie the first to act decides. None: missiles are due."""
        for group in self.order:
            waiting = tuple(name for name in group if name not in self.acted)
            if waiting:
                return waiting
        return ()

    @property
    def missiles_are_due(self) -> bool:
        return not self.awaited and bool(self.position.missiles)

    def owner_of(self, mid: Mid) -> str | None:
        return next((player.name for player in self.players if player.stand is mid.stand), None)

    def mids_of(self, name: str) -> tuple[Square, ...]:
        return tuple(square for square, mid in self.position.mids if self.owner_of(mid) == name)


@dataclass(frozen=True)
class Move:
    """A Mid goes from one square to another; `target` None is off the board."""

    origin: Square
    target: Square | None

    def __str__(self) -> str:
        return f"move {self.origin}-{self.target or 'off'}"


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo: the players and, if it was declared, the first round's initiative."""

    players: tuple[Player, ...]
    initiative: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field."""
        players = doc.get("players")
        if not isinstance(players, list) or not players:
            raise InvalidSetup("players", "a list of players", players)
        found = tuple(_player(n, player) for n, player in enumerate(players))
        for what in ("name", "stand"):
            values = [getattr(player, what) for player in found]
            if len(set(values)) < len(values):
                raise InvalidSetup("players", f"a different {what} for each player", [str(value) for value in values])
        return cls(found, _initiative(doc.get("initiative", []), found))


def _player(n: int, player: Any) -> Player:
    if not isinstance(player, dict) or not isinstance(player.get("name"), str) or not player["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", player)
    try:
        return Player(player["name"], Colour(player.get("stand")))
    except ValueError:
        raise InvalidSetup(f"players[{n}].stand", "the colour of the player's stands", player.get("stand")) from None


def _initiative(names: Any, players: tuple[Player, ...]) -> tuple[str, ...]:
    known = {player.name for player in players}
    if not isinstance(names, list) or not all(name in known for name in names) or len(set(names)) < len(names):
        raise InvalidSetup("initiative", f"names among {', '.join(sorted(known))}, each once", names)
    return tuple(names)


def start(setup: Setup, scene: Scene) -> State:
    """The first round, from the table as the first scene shows it."""
    position = read(scene)
    state = State(setup.players, position, 1, (), options=setup.options)
    state = replace(state, order=initiative(state))
    return declare(state, {"initiative": list(setup.initiative)}) if setup.initiative else state


def start_warnings(state: State) -> tuple[str, ...]:
    """How the board differs from one on which a game can begin, in sentences."""
    found = []
    for player in state.players:
        pips = sum(int(p.size) for square in state.mids_of(player.name) for p in _mid(state, square).pyramids)
        if pips != FULL_ARMY_PIPS:
            found.append(f"{player.name}'s Mids add up to {pips} pips; a new game starts with {FULL_ARMY_PIPS}.")
    for square, mid in state.position.mids:
        if state.owner_of(mid) is None:
            found.append(f"The Mid on {square} stands on no player's stand, as far as can be seen.")
    if state.position.missiles:
        places = ", ".join(sorted({str(square) for square, _ in state.position.missiles}))
        found.append(f"Missiles lie on {places}; a new game starts without any.")
    return tuple(found)


def initiative(state: State) -> tuple[tuple[str, ...], ...]:
    """Who owns most Mids acts first; equals share a group until a die, or the first to act, decides (V.1)."""
    count = {player.name: len(state.mids_of(player.name)) for player in state.players}
    ranked = sorted((name for name in count if count[name]), key=lambda name: -count[name])
    return tuple(tuple(group) for _, group in groupby(ranked, key=lambda name: count[name]))


# ------------------------------------------------------------------------------------------------ read, changes


def read(scene: Scene) -> Position:
    """The board of a scene: upright stacks are Mids, lying pieces missiles; what lies in no square is left out.

    Of two Mids in one square the surer one counts.
    """
    mids: dict[Square, Mid] = {}
    missiles = []
    for stack in sorted(scene.stacks, key=lambda one: one.confidence):
        if stack.zone is None or not is_square(stack.zone):
            continue
        square = Square.parse(stack.zone)
        if stack.pose.heading_deg is None:
            mids[square] = Mid(stack.pyramids, stack.stand)
        else:
            direction = COMPASS[round(stack.pose.heading_deg / 45) % 8]
            missiles.append((square, Missile(stack.pyramids[0], direction, stack.stand)))
    return Position.of(mids, missiles)


def changes(one: Position, other: Position) -> tuple[Touch, ...]:
    """Squares whose contents differ. A stand that cannot be seen is no change."""
    found = []
    for square in BOARD:
        before, after = _contents(one, square), _contents(other, square)
        if before != after:
            found.append(Touch(str(square), before, after))
    return tuple(found)


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether the stack is what the state has in its square, its stand aside."""
    position = read(Scene.of([stack]))
    for square, mid in position.mids:
        before = state.position.mid_at(square)
        return before is not None and before.pyramids == mid.pyramids
    here = [(square, missile.pyramid, missile.direction) for square, missile in position.missiles]
    known = [(square, missile.pyramid, missile.direction) for square, missile in state.position.missiles]
    return all(one in known for one in here)


def _contents(position: Position, square: Square) -> str:
    mid = position.mid_at(square)
    lying = [str(missile) for where, missile in position.missiles if where == square]
    return ", ".join(([str(mid)] if mid else []) + lying) or "empty"


def _mid(state: State, square: Square) -> Mid:
    mid = state.position.mid_at(square)
    if mid is None:
        raise KeyError(str(square))
    return mid


# ------------------------------------------------------- explain, candidates, violations, play, declare, outcome


def explain(state: State, position: Position) -> tuple[Explanation, ...]:
    """What may have happened between the state's board and this one."""
    if not changes(state.position, position):
        return ()
    seen = _remembering(state, position)
    before, after = dict(state.position.mids), dict(seen.mids)
    gone = tuple(square for square in before if square not in after)
    come = tuple(square for square in after if square not in before)
    if _missiles(state.position) != _missiles(seen):
        return (_missile_event(state, seen),)
    if state.missiles_are_due:
        reason = "the missiles were to move before anybody acts, and this version does not move them"
        return (_beyond(state, seen, reason, _actor(state, (*gone, *come))),)
    if gone and len(gone) == len(come):
        return _moves(state, seen, gone, come)
    if gone or come:
        return _appearances(state, seen, gone, come)
    return _in_place(state, seen)


def _missiles(position: Position) -> tuple[tuple[Square, Pyramid, str], ...]:
    return tuple((square, missile.pyramid, missile.direction) for square, missile in position.missiles)


def _remembering(state: State, position: Position) -> Position:
    """The position with the owners the state remembers: of Mids that stayed, and of Mids whose stand is not seen."""
    before, mids = dict(state.position.mids), dict(position.mids)
    gone = [mid for square, mid in before.items() if square not in mids]
    for square, mid in mids.items():
        if square in before and before[square].stand is not None:
            mids[square] = replace(mid, stand=before[square].stand)
        elif mid.stand is None:
            owners = {old.stand for old in gone if old.pyramids == mid.pyramids} or {old.stand for old in gone}
            mids[square] = replace(mid, stand=owners.pop()) if len(owners) == 1 else mid
    return Position.of(mids, position.missiles)


def _moves(state: State, seen: Position, gone: tuple[Square, ...], come: tuple[Square, ...]) -> tuple[Explanation, ...]:
    """As many Mids came as went: they moved, unless an action beyond this version moved them."""
    if len(gone) > 2:
        return (_beyond(state, seen, "more than two Mids are not where they were", None),)
    pairings = [tuple(zip(gone, targets, strict=True)) for targets in permutations(come)]
    alike = [pairs for pairs in pairings if all(_is_same(state, seen, *pair) for pair in pairs)]
    if not alike:
        where = " and ".join(map(str, come))
        return (
            _beyond(state, seen, f"what stands on {where} is not what stood on {' and '.join(map(str, gone))}", None),
        )
    found: list[Explanation] = []
    for pairs in alike:
        for ordered in permutations(pairs):
            found.append(_moved(state, seen, tuple(Move(*pair) for pair in ordered)))
    return tuple(found)


def _is_same(state: State, seen: Position, origin: Square, target: Square) -> bool:
    """Pieces do not change: what came is what went if it has as many pyramids and no other owner's stand."""
    was, now = _mid(state, origin), dict(seen.mids)[target]
    return len(was.pyramids) == len(now.pyramids) and now.stand in (None, was.stand)


def _moved(state: State, seen: Position, line: tuple[Move, ...]) -> Explanation:
    after, doubt = state, None
    for move in line:
        doubt = doubt or _doubt(after, move)
        after = play(after, move)
    if doubt is None and len(line) > 1 and any(violations(after_each, move) for after_each, move in _each(state, line)):
        doubt = (
            f"the Mids from {' and '.join(str(move.origin) for move in line)} both moved, and no two turns allow that"
        )
    odd = tuple(
        f"{square} looks different now. I take it as unchanged: is it?"
        for square, mid in after.position.mids
        if mid.pyramids != dict(seen.mids).get(square, mid).pyramids and square not in [move.target for move in line]
    )
    if doubt is not None:
        return Explanation(line, _taken_as_seen(state, seen, _actor(state, (line[0].origin,))), doubt)
    return Explanation(line, after, questions=odd)


def _each(state: State, line: tuple[Move, ...]) -> Iterable[tuple[State, Move]]:
    """Every move of the line with the state it is made in."""
    for move in line:
        yield state, move
        state = play(state, move)


def _doubt(state: State, move: Move) -> str | None:
    """Why a Mid that went from one square to another need not have moved by its own action."""
    if move.target is None:
        return None
    for square in (*move.origin.between(move.target), move.target):
        if any(where == square for where, _ in state.position.missiles):
            return f"the Mid from {move.origin} met the missile on {square}, and this version does not play missiles"
    if not violations(state, move):
        return None
    if _may_be_shoved(state, move):
        return f"the Mid from {move.origin} may have been shoved to {move.target}; attacks are not ruled on yet"
    if _owner_unknown(state, move):
        return f"I have not seen whose stand the Mid from {move.origin} stands on"
    if _may_be_controlled(state, move):
        return f"control beads may let another player move the Mid from {move.origin}; beads are not counted yet"
    return None


def _may_be_shoved(state: State, move: Move) -> bool:
    """A blue-topped Mid of somebody awaited stands right behind, and the way is as short as a shove."""
    step = move.target and move.origin.step_to(move.target)
    if not step or step[2] > REACH_OF_A_SHOVE:
        return False
    behind = Square(move.origin.file - step[0], move.origin.rank - step[1])
    attacker = state.position.mid_at(behind)
    return (
        attacker is not None
        and attacker.top.colour is Colour.BLUE
        and state.owner_of(attacker) in (*state.awaited, None)
    )


def _owner_unknown(state: State, move: Move) -> bool:
    mid = state.position.mid_at(move.origin)
    return mid is not None and state.owner_of(mid) is None


def _may_be_controlled(state: State, move: Move) -> bool:
    """Somebody acted out of turn, or so it seems, and yellow pyramids leave beads and silent turns possible.

    A control attack changes no pyramid, so a yellow-topped Mid next to another may have used up a turn unseen.
    """
    mid = state.position.mid_at(move.origin)
    if mid is None or state.owner_of(mid) in state.awaited:
        return False
    return any(
        other.top.colour is Colour.YELLOW and any(state.position.mid_at(near) for near in square.neighbours())
        for square, other in state.position.mids
    )


def _appearances(
    state: State, seen: Position, gone: tuple[Square, ...], come: tuple[Square, ...]
) -> tuple[Explanation, ...]:
    """Mids vanished or appeared: an attack, a photo that misses one, or hands."""
    words = [f"the Mid from {square} is gone" for square in gone] + [f"a Mid has come to {square}" for square in come]
    reason = f"{', '.join(words)}; attacks and hits are not ruled on yet"
    acted = _beyond(state, seen, reason, _actor(state, gone))
    return (acted, Explanation((), state, reason))


def _in_place(state: State, seen: Position) -> tuple[Explanation, ...]:
    """The same squares are taken, but stacks look different: an attack if pieces went, else our eye."""
    before = dict(state.position.mids)
    changed = [square for square, mid in seen.mids if mid.pyramids != before[square].pyramids]
    fewer = [square for square in changed if len(dict(seen.mids)[square].pyramids) < len(before[square].pyramids)]
    if not changed:
        return ()
    if fewer:
        words = ", ".join(f"the Mid on {square} has fewer pyramids than before" for square in fewer)
        return (_beyond(state, seen, f"{words}; attacks are not ruled on yet", None),)
    words = ", ".join(f"{square} looks like {dict(seen.mids)[square]}, not {before[square]}" for square in changed)
    return (Explanation((), state, f"{words}; pieces do not change where they stand, so I may misread them"),)


def _missile_event(state: State, seen: Position) -> Explanation:
    if not state.missiles_are_due:
        shooter = _actor(state, tuple(square for square, _ in changed_mids(state.position, seen)))
        return _beyond(state, seen, "a missile came, went or moved; shots and hits are not ruled on yet", shooter)
    reason = "the missiles moved at the end of the round; how they fly and hit is not ruled on yet"
    return Explanation((), next_round(replace(state, position=seen)), reason)


def changed_mids(one: Position, other: Position) -> tuple[tuple[Square, Mid], ...]:
    """Mids of `one` that are not in `other` as they were."""
    return tuple((square, mid) for square, mid in one.mids if dict(other.mids).get(square, None) != mid)


def _actor(state: State, squares: tuple[Square, ...]) -> str | None:
    """Who of those awaited owns a Mid on one of the squares; else the first awaited."""
    owners = [state.owner_of(mid) for square in squares if (mid := state.position.mid_at(square))]
    return next((name for name in owners if name in state.awaited), None)


def _beyond(state: State, seen: Position, reason: str, actor: str | None) -> Explanation:
    """The game goes on from the table as seen, and the turn is over."""
    return Explanation((), _taken_as_seen(state, seen, actor), reason)


def _taken_as_seen(state: State, seen: Position, actor: str | None) -> State:
    if not state.awaited:
        state = next_round(state)
    return turn_over(replace(state, position=seen), actor or next(iter(state.awaited), None))


def candidates(state: State) -> tuple[Move, ...]:
    """Every move of every Mid to another square of the board."""
    return tuple(Move(origin, target) for origin, _ in state.position.mids for target in BOARD if target != origin)


def violations(state: State, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason."""
    if not isinstance(move, Move):
        return (RuleViolation(HANDS_OFF, f"{move}: no action does that"),)
    mid = state.position.mid_at(move.origin)
    if mid is None:
        return (RuleViolation(A_MID_ACTS, f"there is no Mid on {move.origin}"),)
    return (*_turn_violations(state, move, mid), *_way_violations(state, move, mid))


def _turn_violations(state: State, move: Move, mid: Mid) -> tuple[RuleViolation, ...]:
    owner = state.owner_of(mid)
    if owner in state.awaited:
        return ()
    whose = f"the Mid on {move.origin} is {owner}'s" if owner else f"nobody's stand is under the Mid on {move.origin}"
    turn = f"it is {' or '.join(state.awaited)}'s turn" if state.awaited else "the missiles are to move first"
    return (RuleViolation(TURN_ORDER, f"{turn}, and {whose}"),)


def _way_violations(state: State, move: Move, mid: Mid) -> tuple[RuleViolation, ...]:
    if move.target is None:
        return (RuleViolation(ON_THE_BOARD, f"the Mid on {move.origin} left the board"),)
    if move.target == move.origin:
        return (RuleViolation(NOT_ZERO, f"the Mid on {move.origin} did not move"),)
    step = move.origin.step_to(move.target)
    if step is None:
        return (RuleViolation(STRAIGHT, f"{move.origin}-{move.target} is no straight line"),)
    found = []
    count = len(mid.pyramids)
    if step[2] > count:
        squares = "one square" if count == 1 else f"{count} squares"
        pyramids = "one pyramid" if count == 1 else f"{count} pyramids"
        detail = f"a Mid of {pyramids} moves at most {squares}; {move.origin}-{move.target} is {step[2]}"
        found.append(RuleViolation(DISTANCE, detail))
    blocked = [s for s in (*move.origin.between(move.target), move.target) if state.position.mid_at(s) is not None]
    if blocked:
        found.append(
            RuleViolation(NOT_THROUGH, f"a Mid stands on {blocked[0]}, in the way from {move.origin} to {move.target}")
        )
    return tuple(found)


def play(state: State, move: Any) -> State:
    """The state after the move, legal or not: the Mid stands on the target and its owner's turn is over."""
    if not isinstance(move, Move):
        return state
    mids = dict(state.position.mids)
    mid = mids.pop(move.origin, None)
    if mid is not None and move.target is not None:
        mids[move.target] = mid
    moved = replace(state, position=Position.of(mids, state.position.missiles))
    if mid is None:
        return moved
    owner = state.owner_of(mid)
    return turn_over(moved, owner if owner in state.awaited else next(iter(state.awaited), None))


def turn_over(state: State, actor: str | None) -> State:
    """The actor's turn is done; after the last turn the round ends, at once if no missile is to move."""
    if actor is not None:
        state = replace(state, acted=(*state.acted, actor))
    if not state.awaited and not state.position.missiles:
        return next_round(state)
    return state


def next_round(state: State) -> State:
    begun = replace(state, round_number=state.round_number + 1, acted=(), order=())
    return replace(begun, order=initiative(begun))


def declare(state: State, declaration: Any) -> State:
    """The state after a declared initiative: {"initiative": [names in order]}. Ties are settled by it."""
    if not isinstance(declaration, dict) or "initiative" not in declaration:
        raise InvalidSetup("declared", 'an object such as {"initiative": ["Ann", "Bob"]}', declaration)
    names = _initiative(declaration["initiative"], state.players)
    rank = {name: n for n, name in enumerate(names)}
    order: list[tuple[str, ...]] = []
    for group in state.order:
        order += [(name,) for name in sorted((n for n in group if n in rank), key=lambda n: rank[n])]
        undecided = tuple(name for name in group if name not in rank)
        order += [undecided] if undecided else []
    return replace(state, order=tuple(order))


def declared_warnings(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """A declared order that contradicts the number of Mids, in a sentence."""
    if not names:
        return ()
    flat = [name for group in state.order for name in group if name in names]
    expected = [name for name in names if name in flat]
    if flat == expected:
        return ()
    return (f"The declared initiative is {', '.join(names)}; by the Mids on the board it is {', '.join(flat)}.",)


def outcome(state: State) -> Outcome | None:
    """The last player who owns Mids wins; with no Mids left nobody does (VI)."""
    if any(state.owner_of(mid) is None for _, mid in state.position.mids):
        return None
    left = [player.name for player in state.players if state.mids_of(player.name)]
    if len(left) > 1:
        return None
    return Outcome(Ending.WON, tuple(left)) if left else Outcome(Ending.DRAWN)


# ---------------------------------------------------------------------------------------------------------- parse

_MOVE = re.compile(r"\s*move\s+([a-h][1-8])\s*-\s*([a-h][1-8]|off)\s*", re.IGNORECASE)
_TOUCH = re.compile(r"touch (\S+) (.+) -> (.+)")


def parse(text: str) -> Move | Touch:
    """The move that `str` wrote.

    >>> parse("move c4-e6")
    Move(origin=Square(file=2, rank=3), target=Square(file=4, rank=5))
    """
    if found := _MOVE.fullmatch(text):
        origin, target = found[1].lower(), found[2].lower()
        return Move(Square.parse(origin), None if target == "off" else Square.parse(target))
    if found := _TOUCH.fullmatch(text):
        return Touch(found[1], found[2], found[3])
    raise InvalidNotation(text, "a move such as 'move c4-e6'")
