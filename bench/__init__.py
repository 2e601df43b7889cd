"""How fast it is: ratios against a peer measured in the same run, since machines are noisy."""
