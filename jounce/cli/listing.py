"""What `jounce list` prints."""

from rich.console import Console
from rich.table import Table

from ..core.registry import nearest


def show(what: str) -> None:
    tables = {"scenes": _scenes, "integrators": _integrators, "materials": _materials, "reproductions": _reproductions}
    if what not in tables:
        raise ValueError(f"There is no list of '{what}'; {nearest(what, list(tables))}")
    Console().print(tables[what]())


def _scenes() -> Table:
    from .. import gallery

    table = Table("scene", "what it shows", "step", "seconds", "integrator", box=None)
    for name in gallery.names():
        e = gallery.entry(name)
        table.add_row(name, e.summary, f"1/{round(1 / e.step)} s", f"{e.seconds:g}", e.integrator)
    return table


def _integrators() -> Table:
    from .. import integrators

    table = Table("integrator", "order", "contact", "options", "what it is", box=None)
    for name in integrators.names():
        cls = integrators.registry.get(name)
        doc = (__import__(cls.__module__, fromlist=["x"]).__doc__ or "").splitlines()[0]
        contact = "resolved" if cls.feasible else "filtered"
        options = ", ".join(integrators.registry.options(name))
        table.add_row(name, str(integrators.create(name).order), contact, options, doc)
    table.caption = (
        "contact: resolved at the end of its step, or not, and then a step that would pass through something is refused"
    )
    return table


def _materials() -> Table:
    from .. import materials

    table = Table("material", "kind", "what it is", box=None)
    for name in materials.names():
        cls = materials.material_class(name)
        table.add_row(name, cls.kind, (cls.__doc__ or "").strip().splitlines()[0])
    return table


def _reproductions() -> Table:
    from .. import study

    table = Table("reproduction", "what it computes", box=None)
    for name in study.names():
        table.add_row(name, study.about(name))
    return table
