"""One file per material; each registers itself by name."""

from jounce.materials.anisotropic_fung import AnisotropicFung
from jounce.materials.anisotropic_stvk import AnisotropicStVK
from jounce.materials.arap import Arap
from jounce.materials.base import Law, Material
from jounce.materials.corotated import Corotated
from jounce.materials.fixed_corotated import FixedCorotated
from jounce.materials.hookean_spring import HookeanSpring
from jounce.materials.line import Fibre, LineLaw, Spring
from jounce.materials.linear import Linear
from jounce.materials.neo_hookean import NeoHookean
from jounce.materials.registry import create, material_class, names, register
from jounce.materials.st_venant_kirchhoff import StVenantKirchhoff
from jounce.materials.stable_neo_hookean import StableNeoHookean
from jounce.materials.stvk_spring import StVKSpring

__all__ = [
    "AnisotropicFung",
    "AnisotropicStVK",
    "Arap",
    "Corotated",
    "Fibre",
    "FixedCorotated",
    "HookeanSpring",
    "Law",
    "LineLaw",
    "Linear",
    "Material",
    "NeoHookean",
    "Spring",
    "StVKSpring",
    "StVenantKirchhoff",
    "StableNeoHookean",
    "create",
    "material_class",
    "names",
    "register",
]
