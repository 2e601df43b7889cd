"""Never stops talking."""

from good import lines, send  # type: ignore[import-not-found]

for _ in lines():
    while True:
        send("say hello\n" * 1000)
