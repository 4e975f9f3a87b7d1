"""The examples of the manual are run, one after the other."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import EXAMPLES, ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "blocks"), [("docs/python.md", 13), ("README.md", 1), ("crates/ligament-py/README.md", 1)])
def test_examples_run(page: str, blocks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    # The names of models in the README.
    shutil.copy(EXAMPLES / "creature.glb", tmp_path / "fox.glb")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    found = list(BLOCK.finditer(text))
    assert len(found) >= blocks
    names: dict[str, Any] = {}
    for block in found:
        line = text[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block.group(1), page, "exec"), names)
    # Together they are a script that a strict type checker accepts.
    script = tmp_path / "examples.py"
    script.write_text("".join(block.group(1) for block in found))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / "target/mypy"), str(script)]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
