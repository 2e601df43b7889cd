"""Textual's driver for terminals, made steady against signals and bytes from outside."""

from textual.drivers.linux_driver import LinuxDriver


class SteadyDriver(LinuxDriver):
    """A driver with one reader of the terminal at a time, which reads on whatever comes."""

    def _sigcont_application(self, *_: object) -> None:
        """Continue after a stop, by Ctrl-Z or from outside.

        After a stop from outside, Textual's reader still runs. A second one beside it would take
        its input, and the program would wait for the first one when it ends.
        """
        if self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
        super()._sigcont_application()

    def run_input_thread(self) -> None:
        """Read what is typed. Bytes that are not UTF-8 are dropped, with what came beside them."""
        while True:
            try:
                super().run_input_thread()
            except UnicodeDecodeError:
                continue
            return
