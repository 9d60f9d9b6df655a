"""Who may import whom: webui on top, then vision, calibration, and the engine that needs nobody."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_USE = {
    "engine": ("engine",),
    "calibration": ("calibration",),
    "vision": ("vision", "calibration", "engine.table"),
    "webui": ("webui", "vision", "calibration", "engine"),
}
MODULES = [path for room in MAY_USE for path in sorted((ROOT / room).rglob("*.py"))]


def imported_by(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_down_the_staircase(path):
    room = path.relative_to(ROOT).parts[0]
    rooms = {name for name in imported_by(path) if name.split(".")[0] in MAY_USE}
    assert all(any(f"{name}.".startswith(f"{way}.") for way in MAY_USE[room]) for name in rooms), rooms


@pytest.mark.parametrize("path", sorted((ROOT / "engine").rglob("*.py")), ids=lambda path: path.name)
def test_the_engine_needs_the_standard_library_only(path):
    tops = {name.split(".")[0] for name in imported_by(path)}
    assert tops <= set(sys.stdlib_module_names) | {"engine"}
