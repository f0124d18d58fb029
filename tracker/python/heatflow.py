"""Heatflow's tracker for Python: regions, transfers of names and numbers, by the C interface of libheatflow.so.

    c++ -std=c++17 -O2 -fPIC -shared -I tracker/include tracker/src/heatflow.cpp -o libheatflow.so -pthread

    import heatflow

    with heatflow.region("assemble"):
        ...

    @heatflow.function
    def solve(): ...

The library is found by HEATFLOW_LIBRARY, else beside this file, else where the system looks for libraries. Settings (HEATFLOW_OUTPUT
and the others) are those of the tracker. Python 3.8 or newer, nothing but its standard library.
"""

import contextlib
import ctypes
import functools
import os
import sys

__all__ = ["attribute", "dump", "function", "region", "start", "stop"]


def _load():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libheatflow.so")
    path = os.environ.get("HEATFLOW_LIBRARY") or (beside if os.path.exists(beside) else "libheatflow.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(
            f"heatflow: {path} cannot be loaded ({problem}). Compile tracker/src/heatflow.cpp to it, or name it by HEATFLOW_LIBRARY."
        ) from None
    text = ctypes.c_char_p
    for name, arguments, result in (
        ("heatflow_begin", (text, text, ctypes.c_int), None),
        ("heatflow_end", (text,), None),
        ("heatflow_attribute_number", (text, ctypes.c_double), None),
        ("heatflow_attribute_text", (text, text), None),
        ("heatflow_start", (), None),
        ("heatflow_stop", (), None),
        ("heatflow_dump", (text,), ctypes.c_int),
    ):
        declared = getattr(library, name)
        declared.argtypes, declared.restype = arguments, result
    return library


_library = _load()


def _bytes(value):
    # The C interface ends texts at the first NUL.
    return str(value).encode("utf-8", "surrogateescape").split(b"\0")[0]


class region(contextlib.ContextDecorator):
    """A region of the program, from `with` to its end, exceptions included; or around each call of a function.

    Its line is the one that it stands at.
    """

    def __init__(self, name, file=None, line=None):
        if file is None:
            caller = sys._getframe(1)
            file, line = caller.f_code.co_filename, caller.f_lineno
        self._name, self._file, self._line = _bytes(name), _bytes(file), int(line or 0)

    def __enter__(self):
        _library.heatflow_begin(self._name, self._file, self._line)
        return self

    def __exit__(self, *_exception):
        _library.heatflow_end(self._name)
        return False


def function(decorated):
    """Records each call of a function under its qualified name, at the line of its definition."""
    code = decorated.__code__
    around = region(decorated.__qualname__, code.co_filename, code.co_firstlineno)

    @functools.wraps(decorated)
    def recorded(*arguments, **named):
        with around:
            return decorated(*arguments, **named)

    return recorded


def attribute(key, value):
    """An attribute of the innermost region: of a number's values the least, the most and the last are kept."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        _library.heatflow_attribute_number(_bytes(key), float(value))
    else:
        _library.heatflow_attribute_text(_bytes(key), _bytes(value))


def start():
    """Regions that begin from now on are recorded."""
    _library.heatflow_start()


def stop():
    """Regions that begin from now on are not recorded."""
    _library.heatflow_stop()


def dump(path):
    """Ends the recording and moves it to a path. Raises OSError where it could not be written."""
    if _library.heatflow_dump(os.fsencode(path)) != 0:
        raise OSError(f"heatflow: the recording could not be written to {path}")
