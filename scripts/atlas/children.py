"""A task in a process of its own: what it returns, or why it did not end within its limits.

A class whose defaults make a huge model, or whose code waits for something, then costs its own row and not the whole run.
"""

import contextlib
import json
import multiprocessing
import resource
import signal

from values import Unmeasured

SECONDS = 300  # of processor time: the slowest family that is measured takes less than a third of it
MOST = 20  # times as long on the clock, for a task that waits
BYTES = 6 << 30


def alone(task, *arguments):
    """What a task returns (anything that JSON can say)."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=answer, args=(sender, task, arguments))
    child.start()
    sender.close()
    told = None
    with contextlib.suppress(EOFError):
        told = receiver.recv() if receiver.poll(MOST * SECONDS) else None
    if told is None:
        child.kill()
    child.join()
    if told is not None:
        return json.loads(told)
    raise Unmeasured(ended(-child.exitcode if child.exitcode and child.exitcode < 0 else child.exitcode))


def ended(number):
    if number == signal.SIGXCPU:
        return f"more than {SECONDS} s of processor time"
    return f"its process ended by signal {number}, as one of more than {MOST * SECONDS} s or of more than {BYTES >> 30} GiB does"


def answer(sender, task, arguments):
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    sender.send(json.dumps(task(*arguments)))
