"""How every inner loop of the renderer is compiled.

Strict floating point (no fastmath), so the same scene gives the same bytes in every process; kept on disk, so
only the first use of an installation compiles; one thread, as one process per core is how frames are made.
"""

from numba import njit

kernel = njit(cache=True, nogil=True, error_model="numpy")
