"""Draws a picture of tables as PNG, by matplotlib if that is there."""

from io import BytesIO

from divisorduel.lab.executors.executor import ExecutorError
from divisorduel.lab.plot.figure import Figure
from divisorduel.lab.plot.svg import COLOURS

_MARKS = "osv^dD"


def as_png(picture: Figure) -> bytes:
    """Return a picture as PNG. Raises `ExecutorError` if matplotlib is absent."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator, PercentFormatter
    except ImportError:
        raise ExecutorError(
            "For PNG, matplotlib is needed: pip install 'divisorduel[plot]' (or write .svg instead)"
        ) from None
    figure = Figure(figsize=(8.4, 4.7), dpi=160, layout="constrained")
    axes = figure.subplots()
    for line, (colour, _), mark in zip(picture.lines, COLOURS, _MARKS, strict=False):
        size = 3.5 if len(line.points) <= 100 else 2 if len(line.points) <= 400 else 1
        for at, run in enumerate(line.runs):
            xs, ys = [n for n, _ in run], [value for _, value in run]
            name = "" if at else line.name
            joined = "-" if line.is_joined else ""
            axes.plot(xs, ys, mark, color=colour, ms=size, label=name, ls=joined, lw=0.6)
    axes.set_title(picture.title, loc="left", fontweight="bold")
    axes.set_xlabel("n")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color="#e4e4e4")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    if picture.unit == "log":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(integer=picture.unit == "whole"))
    if picture.unit == "share":
        axes.yaxis.set_major_formatter(PercentFormatter(1))
    if len(picture.lines) > 1:
        axes.legend(frameon=False, ncols=3, loc="upper left", bbox_to_anchor=(0, -0.12))
    drawn = BytesIO()
    figure.savefig(drawn, format="png", metadata={"Source": picture.source})
    return drawn.getvalue()
