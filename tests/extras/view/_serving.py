"""`voirdire view` as a real process."""

import re
import signal
import subprocess
import sys
import tempfile


class Viewer:
    """Serves a folder at any port that is free."""

    def __init__(self, folder, *options):
        command = [sys.executable, "-m", "voirdire", "view", str(folder), "--port", "0", *options]
        self._told = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._told, text=True)
        self.said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.said)
        assert found, f"it did not start: {self.told()}"
        self.base = found[0]

    def told(self):
        """What it wrote to stderr."""
        self._told.seek(0)
        return self._told.read()

    def stop(self, number=signal.SIGINT):
        """Exit code, and what it said at the end."""
        self.process.send_signal(number)
        self.process.wait(20)
        return self.process.returncode, self.process.stdout.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(20)
        self.process.stdout.close()
        self._told.close()
