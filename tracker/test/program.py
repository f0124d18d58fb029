"""Regions by `with`, by decorators, recursive, in threads, left by exceptions."""

import sys
import threading

import heatflow


@heatflow.function
def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)


class Solver:
    @heatflow.function
    def solve(self):
        with heatflow.region("assemble"):
            heatflow.attribute("size", 64)
            heatflow.attribute("method", "cg\0ignored")


@heatflow.region("decorated")
def decorated():
    pass


def fail():
    with heatflow.region("fails"):
        raise ValueError("on purpose")


Solver().solve()
decorated()
factorial(4)
for _ in range(3):
    try:
        fail()
    except ValueError:
        pass
thread = threading.Thread(target=factorial, args=(2,))
thread.start()
thread.join()
heatflow.stop()
with heatflow.region("not recorded"):
    pass
heatflow.start()
if len(sys.argv) > 1:
    heatflow.dump(sys.argv[1])
