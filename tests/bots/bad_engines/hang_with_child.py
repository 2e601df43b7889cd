"""Does not answer in time, and neither does its child."""

import subprocess

from good import lines  # type: ignore[import-not-found]

for _ in lines():
    subprocess.run(["sleep", "600"], check=False)
