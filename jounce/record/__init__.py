"""Trajectories, ledgers and run folders."""
