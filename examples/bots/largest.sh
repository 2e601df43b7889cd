#!/bin/sh
# An engine in shell: it asks for the legal moves and takes the last of them.
while read -r word rest; do
  case $word in
    duel) printf 'bot Largest\nwant legal\nok\n' ;;
    go) echo "move ${rest##* }" ;;
    quit) exit 0 ;;
  esac
done
