"""``python -m divisorduel`` and the command ``duel``."""

from divisorduel.cli.main import main

if __name__ == "__main__":
    main()
