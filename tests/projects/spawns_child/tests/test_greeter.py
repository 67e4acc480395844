import subprocess
import sys
from pathlib import Path

from greeter.core import greet

ROOT = Path(__file__).resolve().parent.parent


def test_greet():
    assert greet("you") == "hello you"


def test_command():
    command = [sys.executable, "-m", "greeter", "you"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "hello you\n"
