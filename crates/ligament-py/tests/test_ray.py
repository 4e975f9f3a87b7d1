"""Conversions on a real Ray cluster of two nodes, over real files and a server of S3."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ligament
from support import EXAMPLES, bend

ray = pytest.importorskip("ray")
if sys.platform == "win32":
    pytest.skip("Ray's clusters of several nodes need Linux", allow_module_level=True)

import ligament.ray as many  # noqa: E402
from ligament.ray.planning import glob  # noqa: E402


class TwoNodes:
    """A head that does no work, and two nodes with a core each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(2)]
        self.cluster.wait_for_nodes()
        self.address = str(self.cluster.address)


@pytest.fixture(scope="module")
def cluster() -> Iterator[TwoNodes]:
    made = TwoNodes()
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def bucket() -> Iterator[dict[str, Any]]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    storage: dict[str, Any] = {"key": "test", "secret": "test", "endpoint_url": f"http://{host}:{port}"}
    import s3fs

    s3fs.S3FileSystem(**storage).mkdir("art")
    yield storage
    server.stop()


def models(folder: Path, count: int) -> None:
    """Models in two folders; every seventh refers to a buffer and a picture beside it."""
    for number in range(count):
        below = folder / ("even" if number % 2 == 0 else "odd")
        below.mkdir(parents=True, exist_ok=True)
        if number % 7 == 0:
            ligament.convert(EXAMPLES / "creature.glb", below / f"m{number:03}.gltf", textures="copy")
        else:
            scene = bend()
            scene.name = f"bend {number}"
            ligament.save(scene, below / f"m{number:03}.glb", verify=False)


def prints(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".ligament" not in path.parts
    }


def test_patterns_are_those_of_the_command_line() -> None:
    for pattern, takes, leaves in [
        ("**/*.glb", ["a.glb", "x/y/a.glb"], ["a.gltf", "a.glb/b"]),
        ("*.{glb,bgl}", ["a.glb", "b.bgl"], ["x/a.glb", "a.apg"]),
        ("a?c/[xy].glb", ["abc/x.glb"], ["abc/z.glb", "a/c/x.glb"]),
        ("a/**", ["a/b", "a/b/c"], ["b/a"]),
    ]:
        assert all(glob(pattern).fullmatch(word) for word in takes), pattern
        assert not any(glob(pattern).fullmatch(word) for word in leaves), pattern


def test_a_folder_is_converted_once_and_bad_files_are_listed(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "in", 21)
    (tmp_path / "in/odd/broken.glb").write_bytes(b"glTF\2\0\0\0 nonsense")
    report = tmp_path / "report.parquet"
    done = many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", report=str(report), quiet=True)
    assert (done.done, done.unchanged, len(done.failures)) == (21, 0, 1), done
    assert done.failures[0].input.endswith("broken.glb") and "error[" in done.failures[0].error
    assert "21 done, 0 unchanged, 1 failed" in str(done)
    # The same bytes as a conversion of one file.
    for number in (0, 1):
        below, ending = ("even", "gltf") if number == 0 else ("odd", "glb")
        name = f"{below}/m{number:03}"
        ligament.convert(tmp_path / f"in/{name}.{ending}", tmp_path / "alone.pfobj")
        assert (tmp_path / f"out/{name}.pfobj").read_bytes().replace(b"m000", b"alone") == (
            tmp_path / "alone.pfobj"
        ).read_bytes().replace(b"m000", b"alone")
    before = prints(tmp_path / "out")
    again = many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", quiet=True)
    assert (again.done, again.unchanged, len(again.failures)) == (0, 21, 1)
    assert prints(tmp_path / "out") == before
    # A picture that a model refers to is changed, an output is removed, a model is saved again: three conversions.
    picture = next((tmp_path / "in/even").glob("*.png"))
    shutil.copy(picture, tmp_path / "copy.png")
    os.utime(picture, (1, 1))
    (tmp_path / "out/odd/m001.pfobj").unlink()
    ligament.save(bend(), tmp_path / "in/odd/m003.glb")
    third = many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", quiet=True)
    users = sum(picture.name in path.read_text() for path in (tmp_path / "in/even").glob("*.gltf"))
    assert users >= 1 and (third.done, third.unchanged) == (2 + users, 19 - users), third
    other = many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", scale=2.0, quiet=True)
    assert other.done == 21, "other options"


def test_the_report_can_be_queried(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "in", 8)
    for name in ("report.parquet", "report.jsonl"):
        many.convert(f"{tmp_path}/in", tmp_path / "out", to="apg", report=str(tmp_path / name), quiet=True)
    rows = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    assert {row["result"] for row in rows} == {"unchanged"} and len(rows) == 8, "what was lost is still known"
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "report.parquet").to_pylist()
    by_input = {row["input"]: row for row in table}
    for row in rows:
        first = by_input[row["input"]]
        assert first["result"] == "done" and first["losses"] == row["losses"] and first["worst"] == row["worst"]
        assert str(tmp_path / "out") in row["output"] and "ligament-" not in json.dumps(row)
    losses = ray.data.read_parquet(str(tmp_path / "report.parquet")).flat_map(lambda row: row["losses"])
    counted = {row["code"]: row["count()"] for row in losses.groupby("code").count().take_all()}
    assert counted and sum(counted.values()) == sum(len(row["losses"]) for row in table)


def test_buckets_work_like_folders(cluster: TwoNodes, bucket: dict[str, Any], tmp_path: Path) -> None:
    import s3fs

    models(tmp_path / "in", 9)
    fs = s3fs.S3FileSystem(**bucket)
    fs.put(str(tmp_path / "in"), "art/in", recursive=True)
    words: dict[str, Any] = {"to": "pfobj", "storage": bucket, "quiet": True}
    done = many.convert("s3://art/in/**/*.gl*", "s3://art/out", report="s3://art/report.jsonl", **words)
    assert (done.done, done.failures) == (9, []), done
    many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", quiet=True)
    here = {name: (tmp_path / "out" / name).read_bytes() for name in prints(tmp_path / "out")}
    there = {path.removeprefix("art/out/"): fs.cat_file(path) for path in fs.find("art/out") if ".ligament" not in path}
    assert here == there and any(name.endswith(".png") for name in here)
    rows = [json.loads(line) for line in fs.cat_file("art/report.jsonl").splitlines()]
    assert {row["input"].split("/")[2] for row in rows} == {"art"}
    again = many.convert("s3://art/in/**/*.gl*", "s3://art/out", **words)
    assert (again.done, again.unchanged) == (0, 9)


def test_rules_make_what_the_command_line_makes(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "art", 6)
    (tmp_path / "ligament.toml").write_text(
        """
[[rule]]
glob = ["art/**/*.glb", "art/**/*.gltf"]
exclude = "art/odd/m005*"
to = ["pfobj", "apg"]
max-error = "50%"
no-verify = false
clip = ["nod"]
output = "assets/{dir}/{stem}.{ext}"
""".replace('clip = ["nod"]\n', "")
    )
    done = many.build(tmp_path / "ligament.toml", quiet=True)
    assert (done.done, done.failures) == (10, []), done
    assert (tmp_path / "assets/odd/m001.apg").is_file() and not (tmp_path / "assets/odd/m005.apg").exists()
    for wrong, message in [
        ("max_error = 1", "did you mean `max-error`"),
        ("max-error = 5", "did you mean 5%"),
        ('output = "../{stem}.{ext}"', "outside"),
        ('output = "{name}"', "no {name}"),
        ('glob = "art/*.nothing"', "no file matches"),
    ]:
        keys = {"glob": '"art/**/*.glb"', "to": '"apg"', "output": '"x/{stem}.{ext}"'}
        key, value = wrong.split(" = ")
        keys[key] = value
        (tmp_path / "wrong.toml").write_text("[[rule]]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items()))
        with pytest.raises(many.PlanError, match=message.replace("{", r"\{")):
            many.build(tmp_path / "wrong.toml", quiet=True)


def test_plans_that_cannot_work_convert_nothing(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "in", 2)
    shutil.copy(tmp_path / "in/odd/m001.glb", tmp_path / "in/odd/m001.gltf")
    with pytest.raises(many.PlanError, match="both be written"):
        many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="apg", quiet=True)
    with pytest.raises(many.PlanError, match="no file matches"):
        many.convert(f"{tmp_path}/in/**/*.bgl", tmp_path / "out", to="apg", quiet=True)
    with pytest.raises(many.PlanError, match="no format"):
        many.convert(f"{tmp_path}/in/**/*.glb", tmp_path / "out", to="word", quiet=True)
    with pytest.raises(many.PlanError, match="is an input"):
        many.convert(f"{tmp_path}/in/**/*.glb", tmp_path / "in", to="glb", quiet=True)
    with pytest.raises(ligament.UsageError, match="max_error"):
        many.convert(f"{tmp_path}/in/**/*.glb", tmp_path / "out", to="apg", max_eror=1, quiet=True)  # type: ignore[call-arg]
    assert not (tmp_path / "out").exists()


def test_a_driver_that_is_killed_has_not_worked_for_nothing(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "in", 60)
    (tmp_path / "ligament.toml").write_text(
        '[[rule]]\nglob = "in/**/*.gl*"\nto = "pfobj"\noutput = "out/{dir}/{stem}.{ext}"\n'
    )
    command = [sys.executable, "-m", "ligament.ray", "build", str(tmp_path / "ligament.toml"), "--address", cluster.address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        wait_for(lambda: len(records(tmp_path)) >= 10)
        os.kill(driver.pid, signal.SIGKILL)
    # Workers may finish what they have begun.
    recorded = settled(tmp_path)
    assert 10 <= len(recorded) <= 60
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{60 - len(recorded)} done, {len(recorded)} unchanged, 0 failed" in done.stdout
    again = records(tmp_path)
    assert len(again) == 60 and all(again[name] == time for name, time in recorded.items()), "nothing was done twice"
    assert not [path for path in (tmp_path / "out").rglob(".*") if path.is_file()], "no half files"


def test_a_node_that_is_killed_costs_nothing(cluster: TwoNodes, tmp_path: Path) -> None:
    models(tmp_path / "in", 60)
    report = tmp_path / "report.jsonl"
    import threading

    def kill() -> None:
        wait_for(lambda: len(records(tmp_path)) >= 10)
        cluster.cluster.remove_node(cluster.nodes.pop(), allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    done = many.convert(f"{tmp_path}/in/**/*.gl*", tmp_path / "out", to="pfobj", report=str(report), quiet=True)
    killer.join()
    assert (done.files, done.failures) == (60, [])
    # Each file is in the report once, whoever converted it.
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert len({row["input"] for row in rows}) == len(rows) == 60
    assert len(list((tmp_path / "out").rglob("*.pfobj"))) == 60
    assert not [path for path in (tmp_path / "out").rglob(".*") if path.is_file()], "no half files"


def records(folder: Path) -> dict[str, int]:
    found = [path for path in folder.rglob(".ligament/**/*.json") if not path.name.startswith(".")]
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in found}


def settled(folder: Path) -> dict[str, int]:
    before = None
    while (now := records(folder)) != before:
        before = now
        time.sleep(4.0)
    return now


def wait_for(condition: Any) -> None:
    end = time.monotonic() + 180.0
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
