"""The results of an arena in words: as lines of text, and as a self-contained page."""

from collections.abc import Iterator
from html import escape
from math import isinf

from divisorduel.bots.arena.sprt import LEAST
from divisorduel.bots.arena.standings import Standing, Standings
from divisorduel.bots.report_page import page

MOST_FAULTS = 20
"""How many faults are described; the others are counted."""


def text_lines(found: Standings) -> Iterator[str]:
    """Yield the results as lines of text, the best player first."""
    places = ranked(found)
    width = max(len("player"), *(len(shown_name(place)) for place in places))
    yield f"{'player':<{width}}  games   score      Elo   95% interval  regret"
    for place in places:
        yield (
            f"{shown_name(place):<{width}}  {place.games:>5}  {_score(place):>6}  "
            f"{_elo(place, found):>7}  {_interval(place, found):>13}  {_regret(place):>6}"
        )
    yield ""
    yield from _pairings(found)
    yield from notes(found)


def shown_name(place: Standing) -> str:
    """Return the name of a player; that of a level is a bare number otherwise."""
    player = place.player
    if not player.kind.isdigit():
        return player.name
    number = player.name.removeprefix(player.kind).strip()  # if the level plays more than once
    return f"level {player.kind}{f' ({number})' if number else ''}"


def ranked(found: Standings) -> list[Standing]:
    """Return the players, the best first."""
    return sorted(found.places, key=lambda place: -place.rating.elo)


def notes(found: Standings) -> Iterator[str]:
    """Yield sentences about the figures, the sequential test and the faults."""
    anchor = shown_name(found.places[found.anchor])
    yield (
        f"Elo: relative to {anchor}, fitted to all games; the intervals come from resampling pairs."
    )
    yield "Regret: how often a player gave a win away, among the moves where that was possible."
    if found.unproven:
        yield f"Moves that could not be graded in time: {found.unproven:,}."
    if sprt := found.run.sprt:
        low, high = sprt.bounds
        [pairing] = found.scores
        ratio = sprt.ratio(found.counts(pairing))
        bounds = f"(bounds {low:.2f} and {high:.2f})"
        state = f"undecided. The log-likelihood ratio is {ratio:.2f} {bounds}"
        if decided := found.run.decided:
            pairs, accepted = decided
            elo = sprt.elo1 if accepted == "H1" else sprt.elo0
            state = (
                f"{accepted} ({elo:g} Elo) is accepted after {pairs:,} pairs "
                f"(log-likelihood ratio {ratio:.2f})"
            )
        yield f"SPRT {sprt.elo0:g} to {sprt.elo1:g}: {state}."
        if 0 in found.counts(pairing):
            yield f"In the test, an outcome that was never seen counts as {LEAST:g} pairs."
    yield from _faults(found)


def _faults(found: Standings) -> Iterator[str]:
    for place in found.places:
        if place.faults:
            kinds = ", ".join(f"{count} {word}" for word, count in sorted(place.faults.items()))
            number = sum(place.faults.values())
            yield f"Games that {shown_name(place)} lost through faults: {number} ({kinds})."
    for name, result in found.first_faults[:MOST_FAULTS]:
        yield f"Game {result.game + 1}, {name}: {result.reason}"
        if result.last_words:
            yield f"  {result.last_words.splitlines()[-1]}"


def _pairings(found: Standings) -> Iterator[str]:
    for one, two in found.scores:
        lost, split, won = found.counts((one, two))
        total = lost + split + won
        if total:
            elo, error = (value + 0.0 for value in found.difference((one, two)))  # not -0
            names = " against ".join(shown_name(found.places[at]) for at in (one, two))
            gap = f", {elo:+.0f} ± {error:.0f} Elo" if not isinf(elo) and not isinf(error) else ""
            games = f"{2 * won + split}-{2 * lost + split}"
            pairs = f"(pairs: {won} won, {split} split, {lost} lost)"
            yield f"{names}: {games} {pairs}{gap}"


def _score(place: Standing) -> str:
    return f"{place.wins / place.games:.1%}" if place.games else "-"


def _elo(place: Standing, found: Standings) -> str:
    return "0" if place is found.places[found.anchor] else _rounded(place.rating.elo)


def _interval(place: Standing, found: Standings) -> str:
    if place is found.places[found.anchor]:
        return "anchor"
    if place.rating.low == place.rating.high:  # all games ended alike: resampling shows nothing
        return "not known"
    return f"{_rounded(place.rating.low)} … {_rounded(place.rating.high)}"


def _rounded(elo: float) -> str:
    """Round a rating; a rating that is rounded to 0 has no sign."""
    return f"{round(elo):+d}" if round(elo) else "0"


def _regret(place: Standing) -> str:
    return "-" if place.regret is None else f"{place.regret:.1%}"


def as_page(found: Standings, title: str) -> str:
    """Return the results as a page that needs no other files."""
    said = "".join(f"<li>{escape(note)}</li>" for note in notes(found))
    return page(
        title,
        f"""<p>{_made(found)}</p>
<div class="wide">{_table(found)}</div>
<ul>{said}</ul>
<h2>Ratings</h2>
<div class="wide">{_rating_chart(found)}</div>
<h2>Regret</h2>
<div class="wide">{_regret_chart(found)}</div>
<h2>Who beat whom</h2>
<div class="wide">{_cross_table(found)}</div>
<p>Each cell shows how many games the player in the row won against the player in the column.</p>
""",
    )


def _made(found: Standings) -> str:
    plan = found.run.schedule
    number = len(plan.openings)
    starts = "1 starting position" if number == 1 else f"{number:,} starting positions"
    gauntlet = plan.mode == "gauntlet"
    who = "The first player met each of the others" if gauntlet else "Every pair of players met"
    return (
        f"{who} on {starts}, each played twice with sides swapped. "
        f"Seed {plan.seed}, {plan.seconds:g} s for each move."
    )


def _table(found: Standings) -> str:
    rows = "".join(
        f"<tr><td>{escape(shown_name(p))}</td><td>{p.games}</td><td>{_score(p)}</td>"
        f"<td>{_elo(p, found)}</td><td>{_interval(p, found)}</td><td>{_regret(p)}</td></tr>"
        for p in ranked(found)
    )
    names = ("Player", "Games", "Score", "Elo", "95% interval", "Regret")
    return f"<table><tr>{''.join(f'<th>{n}</th>' for n in names)}</tr>{rows}</table>"


def _cross_table(found: Standings) -> str:
    names = [escape(shown_name(place)) for place in found.places]
    wins = {}
    for (one, two), scores in found.scores.items():
        wins[one, two] = sum(scores), 2 * len(scores)
        wins[two, one] = 2 * len(scores) - sum(scores), 2 * len(scores)
    rows = ""
    for row, name in enumerate(names):
        cells = (wins.get((row, column)) for column in range(len(names)))
        text = "".join(f"<td>{f'{c[0]} of {c[1]}' if c and c[1] else ''}</td>" for c in cells)
        rows += f"<tr><th>{name}</th>{text}</tr>"
    return f"<table><tr><th></th>{''.join(f'<th>{n}</th>' for n in names)}</tr>{rows}</table>"


def _rating_chart(found: Standings) -> str:
    places = ranked(found)
    low = min(0.0, *(place.rating.low for place in places))
    high = max(0.0, *(place.rating.high for place in places))
    scale = 500 / max(high - low, 1.0)
    body = f'<path class="axis" d="M{190 - low * scale:.1f} 0V{30 * len(places)}"/>'
    for at, place in enumerate(places):
        y, rating = 30 * at + 15, place.rating
        left, dot, right = (190 + (x - low) * scale for x in (rating.low, rating.elo, rating.high))
        body += (
            f'<text x="180" y="{y + 5}" text-anchor="end">{escape(shown_name(place)[:22])}</text>'
            f'<path class="reach" d="M{left:.1f} {y}H{right:.1f}"/>'
            f'<circle class="dot" cx="{dot:.1f}" cy="{y}" r="5"/>'
            f'<text x="760" y="{y + 5}" text-anchor="end">{_elo(place, found)}</text>'
        )
    return _svg(body, len(places), "Elo ratings with 95% intervals")


def _regret_chart(found: Standings) -> str:
    places = sorted(found.places, key=lambda place: place.regret or 0.0)
    most = max((place.regret or 0.0 for place in places), default=0.0) or 1.0
    body = f'<path class="axis" d="M190 0V{30 * len(places)}"/>'
    for at, place in enumerate(places):
        y, width = 30 * at + 15, 500 * (place.regret or 0.0) / most
        body += (
            f'<text x="180" y="{y + 5}" text-anchor="end">{escape(shown_name(place)[:22])}</text>'
            f'<rect class="bar" x="190" y="{y - 8}" width="{width:.1f}" height="16"/>'
            f'<text x="760" y="{y + 5}" text-anchor="end">{_regret(place)}</text>'
        )
    about = "Of the decisions that could give a win away, the share that did, for each player"
    return _svg(body, len(places), about)


def _svg(body: str, rows: int, label: str) -> str:
    return f'<svg viewBox="0 0 770 {30 * rows}" role="img" aria-label="{label}">{body}</svg>'
