"""Scripts that record what a page does besides showing things."""

ALERTS = """
    window.made = [];
    for (const name of ["OscillatorNode", "Notification"]) {
        const made = function () {
            window.made.push(name);
            return { connect: (next) => next, start() {}, stop() {}, frequency: {} };
        };
        made.permission = "granted";
        made.requestPermission = async () => "granted";
        window[name] = made;
    }
    navigator.vibrate = () => window.made.push("vibrate");
    Object.defineProperty(document, "hidden", { get: () => window.away === true });
"""
"""Notes sounds, notifications and vibration in ``window.made``; ``window.away`` hides the page."""

MOTION = """() => {
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        const what = this.querySelector(".digits")?.textContent ?? this.localName;
        window.moved.push([what, options.duration, options.delay ?? 0]);
        return animate.call(this, frames, options);
    };
}"""
"""Notes what is animated, for how long and after which delay, in ``window.moved``."""
