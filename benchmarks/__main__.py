"""Measures what jounce costs, compares it with its goals, and keeps the numbers in `results/`.

    python -m benchmarks                   # everything
    python -m benchmarks elements steps    # parts of it

Run it on a machine that does nothing else.
"""

import argparse
import json
import platform
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from jounce.kernels.compile import config

PARTS = ("elements", "linear", "steps", "contact", "startup")
RESULTS = Path(__file__).parent / "results"


def processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def machine() -> dict[str, str | int]:
    """What the numbers were measured on."""
    packages = {name: version(name) for name in ("numpy", "scipy", "numba")}
    return {
        "processor": processor(),
        "threads": config.NUMBA_NUM_THREADS,
        "python": platform.python_version(),
        **packages,
    }


def report() -> str:
    """The page of results, from all that the folder holds."""
    lines = [
        "# What jounce costs",
        "",
        "Written by `python -m benchmarks`; the whole of the numbers is in the JSON files beside this page.",
        "",
        "| what | measured | goal | met |",
        "| --- | --- | --- | --- |",
    ]
    machines = set()
    for part in PARTS:
        file = RESULTS / f"{part}.json"
        if not file.exists():
            continue
        found = json.loads(file.read_text())
        m = found["machine"]
        machines.add(f"{m['processor']}, {m['threads']} threads, Python {m['python']}, numba {m['numba']}")
        for what, measured, goal, met in import_module(f"benchmarks.{part}").goals(found):
            lines.append(f"| {what} | {measured} | {goal} | {'yes' if met else '**no**'} |")
    steps = RESULTS / "steps.json"
    if steps.exists():
        lines += [
            "",
            "## Where a Newton iteration's time goes",
            "",
            *iterations(json.loads(steps.read_text())["sizes"]),
        ]
    return "\n".join([*lines, "", "Measured on: " + "; ".join(sorted(machines)) + ".", ""])


def iterations(sizes: list[dict]) -> list[str]:
    """A table with a column per size; the solver and its iterations differ, so they stand in the cell."""
    out = [
        "| part | " + " | ".join(f"{s['nodes']} nodes, ms" for s in sizes) + " |",
        "| --- |" + " ---: |" * len(sizes),
    ]
    for rows in zip(*(s["iteration_ms"].items() for s in sizes), strict=True):
        cells = []
        for name, ms in rows:
            detail = name.partition("(")[2].rstrip(")") if name.startswith("linear solve") else ""
            cells.append(f"{ms:.1f}" + (f" ({detail})" if detail else ""))
        out.append(
            f"| {rows[0][0].partition('(')[0].strip() if 'solve' in rows[0][0] else rows[0][0]} | "
            + " | ".join(cells)
            + " |"
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    chosen = parser.parse_args().parts
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; valid: {', '.join(PARTS)}")
    RESULTS.mkdir(exist_ok=True)
    for part in chosen or PARTS:
        print(f"{part}:")
        found = import_module(f"benchmarks.{part}").measure()
        (RESULTS / f"{part}.json").write_text(json.dumps({"machine": machine(), **found}, indent=1) + "\n")
    (RESULTS / "README.md").write_text(report())
    print(f"\nThe numbers are in {RESULTS}; README.md compares them with their goals.")


if __name__ == "__main__":
    main()
