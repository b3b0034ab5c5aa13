"""Systems: what turns a state into one step's mechanics and back."""
