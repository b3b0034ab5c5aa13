"""Newton's minimiser, line searches, linear and spectral solvers."""
