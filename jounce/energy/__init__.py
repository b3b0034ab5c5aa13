"""Energy: targets, the measures they are taken in, the ledger, momenta and modal spectra."""

from .targets import Conserve, Curve, Decay, PerBody, Schedule, Target

__all__ = ["Conserve", "Curve", "Decay", "PerBody", "Schedule", "Target"]
