"""The jobs of a ``ligament.toml``: the same that ``ligament build`` makes of it."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Sequence
from typing import Any

from .. import _ligament
from .places import Place, Storage
from .planning import Job, PlanError, checked, extension, find, glob, job, stem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN_KEYS = ("glob", "exclude", "output", "to", "dialect", "binary", "from")


def of_rules(address: str, storage: Storage) -> list[Job]:
    """The jobs of all rules. Paths and patterns begin in the folder of the rules, and outputs must stay in it."""
    place = Place(address, storage)
    data = place.read()
    if data is None:
        raise PlanError(f"{address}: there is no such file")
    try:
        rules = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{address}: {error}") from error
    unknown = [key for key in rules if key != "rule"]
    if unknown or not isinstance(rules.get("rule"), list):
        raise PlanError(f"{address}: expected [[rule]]" + (f", not {unknown[0]!r}" if unknown else ""))
    folder = place.at(posixpath.dirname(place.path)).address
    jobs: list[Job] = []
    for number, rule in enumerate(rules["rule"]):
        try:
            jobs += _of_rule(rule, folder, storage)
        except (ValueError, KeyError, TypeError) as error:
            raise PlanError(f"{address}: rule {number + 1}: {error}") from error
    return checked(jobs)


def _of_rule(rule: dict[str, Any], folder: str, storage: Storage) -> list[Job]:
    for key in ("glob", "to", "output"):
        if key not in rule:
            raise PlanError(f"the rule has no `{key}`")
    options = _options(rule, folder)
    excluded = [glob(word) for word in _words(rule.get("exclude", []))]
    jobs: list[Job] = []
    known: set[str] = set()
    for pattern in _words(rule["glob"]):
        found = list(find(posixpath.join(folder, pattern), storage))
        if not found:
            raise PlanError(f"no file matches {pattern!r}")
        for file in found:
            address = file.place.address
            relative = posixpath.relpath(address, folder)
            if address in known or relative.startswith(".ligament/") or any(e.fullmatch(relative) for e in excluded):
                continue
            known.add(address)
            for to in [word for words in _words(rule["to"]) for word in words.split(",")]:
                filled = _filled(rule["output"], file.below, stem(address), extension(to, options.get("dialect")))
                if filled.startswith(("/", "../")) or "://" in filled:
                    raise PlanError(f"{address} would be written to {filled}, outside of the folder of the rules")
                jobs.append(job(file, folder, filled, {**options, "format": to}))
    return jobs


def _options(rule: dict[str, Any], folder: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for key, value in rule.items():
        if key == "from":
            options["from_format"] = value
        elif key == "dialect":
            options["dialect"] = value
        elif key == "binary" and value is True:
            options["dialect"] = "binary"
        elif key not in OWN_KEYS:
            name, made = _ligament.rule_setting(key, value)
            if made is not None:
                options[name] = made
    for name in ("clips_from", "rename_joints", "reorder_joints"):
        value = options.get(name)
        if isinstance(value, str):
            options[name] = posixpath.join(folder, value)
        elif name == "clips_from" and value:
            options[name] = [posixpath.join(folder, word) for word in value]
    return options


def _words(value: Any) -> Sequence[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise PlanError("expected a text or a list of texts")
    return words


def _filled(template: str, below: str, name: str, ending: str) -> str:
    text = template if below else template.replace("{dir}/", "")
    values = {"dir": below, "stem": name, "ext": ending}
    wrong = [word for word in re.findall(r"\{(.*?)\}", text) if word not in values]
    if wrong:
        raise PlanError(f"there is no {{{wrong[0]}}}; expected one of: {{dir}}, {{stem}}, {{ext}}")
    return posixpath.normpath(re.sub(r"\{(.*?)\}", lambda found: values[found.group(1)], text))
