"""Pictures, plots and videos."""
