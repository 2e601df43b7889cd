"""How many moves a second the server takes, against boardgame.io's server in the same run."""
