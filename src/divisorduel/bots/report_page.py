"""The frame of a report: a page that needs no other files."""

from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fdfdfb; --line: #8887;
        --one: #1764ab; --two: #b3541e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #17181a; --one: #7db8f0; --two: #f0a36b; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
td, th { text-align: right; white-space: nowrap; padding: .3rem .6rem;
         border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; }
svg { width: 100%; min-width: 34rem; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.axis { stroke: var(--line); } .bar { fill: var(--two); }
.reach { stroke: var(--one); stroke-width: 2; } .dot { fill: var(--one); }
.ring { fill: var(--paper); stroke: var(--one); stroke-width: 2; }
.floor { fill: none; stroke: var(--two); stroke-width: 2; stroke-dasharray: 2 4; }
.far { stroke-dasharray: 10 5; }
"""


def page(title: str, body: str) -> str:
    """Return a page with a title. The body is HTML."""
    shown = escape(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{shown}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{shown}</h1>
{body}</body>
</html>
"""
