"""Elastodynamics with contact that never intersects and with energy that you control.

The public names are found here; they are imported when they are first used, so that `import jounce` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "Barrier": ".contact",
    "Ground": ".contact",
    "Obstacle": ".scene.scene",
    "Pair": ".contact",
    "Penalty": ".contact",
    "Repulsion": ".contact",
    "AnalyticSystem": ".systems.analytic",
    "Clamp": ".scene.scene",
    "Conserve": ".energy.targets",
    "Curve": ".energy.targets",
    "Decay": ".energy.targets",
    "Force": ".scene.scene",
    "Mechanics": ".core.mechanics",
    "NewtonSolver": ".solvers.newton",
    "Outcome": ".core.outcome",
    "PerBody": ".energy.targets",
    "Ramp": ".scene.motion",
    "Rayleigh": ".scene.scene",
    "Rotate": ".scene.motion",
    "Run": ".simulation",
    "Sample": ".core.stage",
    "Scene": ".scene.scene",
    "Schedule": ".energy.targets",
    "SimulationError": ".core.outcome",
    "Solid": ".scene.scene",
    "Spin": ".scene.motion",
    "SpringNet": ".scene.scene",
    "Stage": ".core.stage",
    "State": ".core.mechanics",
    "SurfaceMesh": ".meshes",
    "TetMesh": ".meshes",
    "Translate": ".scene.motion",
    "Wind": ".scene.scene",
    "build": ".scene.build",
    "check": ".scene.check",
    "simulate": ".simulation",
    "AnisotropicFung": ".materials",
    "AnisotropicStVK": ".materials",
    "Arap": ".materials",
    "Corotated": ".materials",
    "FixedCorotated": ".materials",
    "HookeanSpring": ".materials",
    "Linear": ".materials",
    "NeoHookean": ".materials",
    "StVenantKirchhoff": ".materials",
    "StVKSpring": ".materials",
    "StableNeoHookean": ".materials",
}
_ROOMS = ("energy", "gallery", "integrators", "materials", "meshes", "study")

__all__ = [*_PUBLIC, *_ROOMS, "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name], __name__), name)
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"jounce has no name '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from . import energy as energy
    from . import gallery as gallery
    from . import integrators as integrators
    from . import materials as materials
    from . import meshes as meshes
    from . import study as study
    from .contact import Barrier as Barrier
    from .contact import Ground as Ground
    from .contact import Pair as Pair
    from .contact import Penalty as Penalty
    from .contact import Repulsion as Repulsion
    from .core.mechanics import Mechanics as Mechanics
    from .core.mechanics import State as State
    from .core.outcome import Outcome as Outcome
    from .core.outcome import SimulationError as SimulationError
    from .core.stage import Sample as Sample
    from .core.stage import Stage as Stage
    from .energy.targets import Conserve as Conserve
    from .energy.targets import Curve as Curve
    from .energy.targets import Decay as Decay
    from .energy.targets import PerBody as PerBody
    from .energy.targets import Schedule as Schedule
    from .materials import AnisotropicFung as AnisotropicFung
    from .materials import AnisotropicStVK as AnisotropicStVK
    from .materials import Arap as Arap
    from .materials import Corotated as Corotated
    from .materials import FixedCorotated as FixedCorotated
    from .materials import HookeanSpring as HookeanSpring
    from .materials import Linear as Linear
    from .materials import NeoHookean as NeoHookean
    from .materials import StableNeoHookean as StableNeoHookean
    from .materials import StVenantKirchhoff as StVenantKirchhoff
    from .materials import StVKSpring as StVKSpring
    from .scene.build import build as build
    from .scene.check import check as check
    from .scene.motion import Ramp as Ramp
    from .scene.motion import Rotate as Rotate
    from .scene.motion import Spin as Spin
    from .scene.motion import Translate as Translate
    from .scene.scene import Clamp as Clamp
    from .scene.scene import Force as Force
    from .scene.scene import Obstacle as Obstacle
    from .scene.scene import Rayleigh as Rayleigh
    from .scene.scene import Scene as Scene
    from .scene.scene import Solid as Solid
    from .scene.scene import SpringNet as SpringNet
    from .scene.scene import Wind as Wind
    from .simulation import Run as Run
    from .simulation import simulate as simulate
    from .solvers.newton import NewtonSolver as NewtonSolver
    from .systems.analytic import AnalyticSystem as AnalyticSystem
