"""Converts any number of files on a Ray cluster: ``pip install ligament[ray]``.

>>> import ligament.ray
>>> done = ligament.ray.convert("s3://art/**/*.fbx", "s3://game/models", to="glb")    # doctest: +SKIP
>>> print(done)                                                                      # doctest: +SKIP

Addresses are those of `fsspec`: paths, ``s3://``, ``gs://`` and others. ``python -m ligament.ray build ligament.toml`` follows the
rules that ``ligament build`` follows.

====================  ==================================================================================
``places.py``         addresses: finding, fetching and placing files
``planning.py``       the jobs of patterns, and their outputs
``rules.py``          the jobs of a ``ligament.toml``
``record.py``         what was read and written, beside the output, so that nothing is converted twice
``work.py``           one job, on a worker
``running.py``        all jobs, on a cluster: retries, progress
``report.py``         one row per file, as Parquet or JSON Lines
====================  ==================================================================================
"""

from .planning import PlanError
from .running import Failed, Summary, build, convert

__all__ = ["Failed", "PlanError", "Summary", "build", "convert"]
