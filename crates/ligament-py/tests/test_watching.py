"""Long work lets other threads run, reports its progress, and can be stopped."""

import _thread
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ligament
from support import EXAMPLES, bend


def large() -> ligament.Scene:
    """A scene whose proof takes long: many vertices in many poses."""
    scene = bend()
    part = scene.meshes[0].parts[0]
    assert part.influences is not None and part.normals is not None
    times = 800
    count = len(part.positions)
    joints, weights = part.influences.dense()
    # The writer divides them by their sum: vertices that stay unchanged need not be measured.
    weights *= 0.7
    part.influences = ligament.Influences.from_dense(np.tile(joints, (times, 1)), np.tile(weights, (times, 1)))
    part.positions = np.tile(part.positions, (times, 1))
    part.normals = np.tile(part.normals, (times, 1))
    part.uvs = [np.tile(part.uvs[0], (times, 1))]
    corners = part.faces.corners
    shifted = corners[None, :] + (np.arange(times, dtype=np.uint32) * count)[:, None]
    part.faces = ligament.Faces.polygons(np.arange(shifted.size // 4 + 1) * 4, shifted.ravel())
    track = scene.clips[0].tracks[0]
    keys = 2000
    track.times = (np.arange(keys) / 24).astype(np.float32)
    track.values = np.resize(track.values, (keys, 4))
    scene.clips[0].duration = float(track.times[-1])
    return scene


def test_stages_are_told_in_order(tmp_path: Path) -> None:
    stages: list[str] = []
    ligament.convert(EXAMPLES / "creature.glb", tmp_path / "a.pfobj", progress=stages.append)
    assert stages == ["read", "import", "prepare", "export", "write", "verify"]
    stages.clear()
    ligament.save(bend(), tmp_path / "a.glb", progress=stages.append, verify=False)
    assert stages == ["prepare", "export", "write"]
    stages.clear()
    ligament.load(EXAMPLES / "creature.glb", progress=stages.append)
    assert stages == ["read", "import"]


@pytest.mark.parametrize("stop_at", ["read", "import", "prepare", "export", "write", "verify"])
def test_cancelled_work_writes_nothing(stop_at: str, tmp_path: Path) -> None:
    event = threading.Event()
    target = tmp_path / "a.glb"
    target.write_bytes(b"old")

    def progress(stage: str) -> None:
        if stage == stop_at:
            event.set()

    with pytest.raises(ligament.Cancelled) as caught:
        ligament.convert(EXAMPLES / "creature.pfobj", target, cancel=event, progress=progress)
    assert caught.value.first is not None and caught.value.first.code == "CV007"
    assert os.listdir(tmp_path) == ["a.glb"] and target.read_bytes() == b"old"


def test_an_event_set_beforehand_stops_at_once() -> None:
    event = threading.Event()
    event.set()
    with pytest.raises(ligament.Cancelled):
        ligament.load(EXAMPLES / "creature.glb", cancel=event)
    with pytest.raises(ligament.Cancelled):
        ligament.compare(EXAMPLES / "creature.glb", EXAMPLES / "creature.glb", cancel=event)


def test_what_a_callback_raises_ends_the_work(tmp_path: Path) -> None:
    def progress(stage: str) -> None:
        raise RuntimeError(f"no more at {stage}")

    with pytest.raises(RuntimeError, match="no more at prepare"):
        ligament.save(bend(), tmp_path / "a.glb", progress=progress)
    assert os.listdir(tmp_path) == []
    with pytest.raises(TypeError):
        ligament.load(EXAMPLES / "creature.glb", progress=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ligament.load(EXAMPLES / "creature.glb", cancel=5)  # type: ignore[arg-type]


def test_ctrl_c_ends_a_long_proof(tmp_path: Path) -> None:
    scene = large()
    begun = threading.Event()

    def press() -> None:
        begun.wait()
        _thread.interrupt_main(signal.SIGINT)

    # A shell lets programs in the background ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=press)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            ligament.save(
                scene, tmp_path / "a.glb", progress=lambda stage: begun.set() if stage == "verify" else None
            )
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    assert os.listdir(tmp_path) == []


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    begun, stop = threading.Event(), threading.Event()

    def work() -> None:
        begun.wait()
        # With the lock held there would be no next step before the proof is over.
        for _ in range(10):
            time.sleep(0.001)
        stop.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(ligament.Cancelled):
            ligament.save(
                large(),
                tmp_path / "a.glb",
                cancel=stop,
                progress=lambda stage: begun.set() if stage == "verify" else None,
            )
    finally:
        begun.set()
        thread.join()
    assert os.listdir(tmp_path) == []
