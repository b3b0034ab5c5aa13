"""The command line: parsing only."""

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="jounce",
    help="Elastodynamics with contact that never intersects and with energy that you control.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run a command; a fault in what was asked is a sentence and exit code 1."""
    warnings.formatwarning = _worded
    try:
        app()
    except (ValueError, TypeError, RuntimeError, OSError) as fault:
        print(f"jounce: {fault}", file=sys.stderr)
        raise SystemExit(1) from None
    except MemoryError as fault:
        print(f"jounce: There is not enough memory for this; take fewer cells or nodes. {fault}", file=sys.stderr)
        raise SystemExit(1) from None


def _worded(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Our own warnings as sentences, others as Python has them."""
    if category is UserWarning:
        return f"jounce: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(help="scenes, integrators, materials or reproductions")] = "scenes",
) -> None:
    """List scenes, integrators, materials or reproductions."""
    from .listing import show

    show(what)


@app.command()
def run(
    name: Annotated[str, typer.Argument(help="a scene of the gallery; `jounce list` shows them")],
    integrator: Annotated[str | None, typer.Option(help="default: the scene's own")] = None,
    step: Annotated[float | None, typer.Option(help="time step (s)")] = None,
    seconds: Annotated[float | None, typer.Option(help="how long to simulate (s)")] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder for frames, ledger, plots and video; default runs/NAME")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="an option of the scene, as name=value; may be repeated")
    ] = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", help="an option of the integrator, as name=value")
    ] = None,
    solver: Annotated[str, typer.Option(help="linear solver: auto, pcg, direct or multigrid")] = "auto",
    video: Annotated[bool, typer.Option(help="also render a video")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="check every step in full: intersections, inversions, grounds, ledger")
    ] = False,
    quiet: Annotated[bool, typer.Option(help="no progress bar")] = False,
) -> None:
    """Simulate a scene of the gallery and write its frames, ledger and plots."""
    from .running import run_scene

    run_scene(
        name, integrator=integrator, step=step, seconds=seconds, out=out or Path("runs") / name,
        scene_options=_options(set_), method_options=_options(method), solver=solver, video=video, verify=verify,
        quiet=quiet,
    )  # fmt: skip


@app.command()
def check(
    name: Annotated[str, typer.Argument(help="a scene of the gallery, or a mesh file")],
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="an option of the scene, as name=value; may be repeated")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder for meshes of what to look at; default runs/check/NAME")
    ] = None,
) -> None:
    """Say what is wrong with a scene's start or a mesh file, without running it; exit code 1 if there is a fault."""
    from .checking import check_named

    if not check_named(name, out or Path("runs/check") / Path(name).name, _options(set_)):
        raise SystemExit(1)


@app.command()
def reproduce(
    names: Annotated[list[str], typer.Argument(help="results to reproduce; `jounce list reproductions` shows them")],
    out: Annotated[Path, typer.Option(help="folder for tables and plots")] = Path("runs/reproduce"),
    full: Annotated[bool, typer.Option(help="also the finest time steps, which take long")] = False,
) -> None:
    """Compute published results again, print ours beside the paper's, and plot them."""
    from .reproducing import reproduce_all

    if not reproduce_all(names, out, full):
        raise SystemExit(1)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="folder for the video, picture, plots and frames")] = Path("runs/demo"),
) -> None:
    """The bouncing ball under A-search beside BDF2: video, pictures, plots and frames."""
    from .demo import make

    make(out)


def _options(pairs: list[str] | None) -> dict[str, Any]:
    """name=value pairs; values are numbers, true, false, comma-separated numbers, or text."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ValueError(f"'{pair}' is not of the form name=value.")
        options[name.strip().replace("-", "_")] = _value(text.strip())
    return options


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if "," in text:
        return tuple(_value(part.strip()) for part in text.split(","))
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


if __name__ == "__main__":
    main()
