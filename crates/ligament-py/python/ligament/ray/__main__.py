"""``python -m ligament.ray build ligament.toml --address auto``."""

from __future__ import annotations

import argparse
import sys

from ..errors import LigamentError
from . import PlanError, Summary, build


def main() -> int:
    """Runs the command, and returns its exit code: 1 if a file failed, 2 for wrong rules."""
    parser = argparse.ArgumentParser(prog="python -m ligament.ray", description="Converts files on a Ray cluster.")
    command = parser.add_subparsers(dest="command", required=True).add_parser(
        "build", help="follow the rules of a ligament.toml"
    )
    command.add_argument("rules", nargs="?", default="ligament.toml", help="the rules: a path or an address")
    command.add_argument("--address", help="the cluster; auto finds a running one, and none starts one here")
    command.add_argument("--report", help="write a row per file to this .parquet or .jsonl file")
    command.add_argument("--force", action="store_true", help="convert what has not changed, too")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    asked = parser.parse_args()
    try:
        done: Summary = build(
            asked.rules, address=asked.address, report=asked.report, force=asked.force, quiet=asked.quiet
        )
    except (PlanError, LigamentError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(done)
    return 1 if done.failures else 0


if __name__ == "__main__":
    sys.exit(main())
