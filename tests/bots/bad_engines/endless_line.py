"""Never ends a line."""

from good import lines, send  # type: ignore[import-not-found]

for _ in lines():
    while True:
        send("9" * 1000)
