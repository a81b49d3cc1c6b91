"""SIMD instructions for the two inner loops of optical flow: eight window columns at a time.

LLVM vectorises these loops but keeps sums and neighbouring rows in memory; here they stay in registers.
Vectors have eight lanes on every processor and are summed in a fixed order, so results do not depend on the
machine. `optical_flow` imports this module only while it is compiled.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

LANES = 8
_WHOLE, _NUMBER = ir.IntType(64), ir.FloatType()
_FLOATS, _BYTES = ir.VectorType(_NUMBER, LANES), ir.VectorType(ir.IntType(8), LANES)
_SCHARR = 3 / 32, 10 / 32
Lane = Any  # an LLVM vector value
Intrinsic = tuple[Any, Callable[..., Any]]  # signature and code generator, as numba expects them


class _Writer:
    """Emits instructions for bilinear interpolation at a subpixel offset (`right`, `down`)."""

    def __init__(self, context: Any, builder: Any, kinds: Any, given: Any) -> None:
        self.builder, self._context = builder, context
        row, self.at, self.stride, right, down, patch = given
        self._row = self._data(kinds[0], row)
        windows = cgutils.unpack_tuple(builder, patch)
        self.windows = [self._data(kind, one) for kind, one in zip(kinds[5].types, windows, strict=True)]
        (self._left, self._right), (self._above, self._below) = self._shares(right), self._shares(down)

    def _data(self, kind: Any, array: Any) -> Any:
        return self._context.make_array(kind)(self._context, self.builder, array).data

    def _shares(self, share: Any) -> tuple[Lane, Lane]:
        return self._all(self.builder.fsub(ir.Constant(_NUMBER, 1.0), share)), self._all(share)

    def _all(self, value: Any) -> Lane:
        first = self.builder.insert_element(ir.Constant(_FLOATS, ir.Undefined), value, ir.IntType(32)(0))
        return self._picked(first, [0] * LANES)

    def _picked(self, lane: Lane, numbers: list[int]) -> Lane:
        which = ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)
        return self.builder.shuffle_vector(lane, ir.Constant(lane.type, ir.Undefined), which)

    def kept(self, lane: Lane) -> Any:
        """A variable that LLVM keeps in a register."""
        return cgutils.alloca_once_value(self.builder, lane)

    def all_of(self, value: float) -> Lane:
        return ir.Constant(_FLOATS, [value] * LANES)

    def times(self, one: Lane, other: Lane) -> Lane:
        return self.builder.fmul(one, other, flags=("contract",))

    def plus(self, one: Lane, other: Lane) -> Lane:
        return self.builder.fadd(one, other, flags=("contract",))

    def minus(self, one: Lane, other: Lane) -> Lane:
        return self.builder.fsub(one, other, flags=("contract",))

    def add_product(self, total: Any, one: Lane, other: Lane) -> None:
        self.builder.store(self.plus(self.builder.load(total), self.times(one, other)), total)

    def place(self, data: Any, at: Any, kind: Any = _FLOATS) -> Any:
        return self.builder.bitcast(self.builder.gep(data, [at]), kind.as_pointer())

    def read(self, window: Any, at: Any) -> Lane:
        return self.builder.load(self.place(window, at), align=4)

    def write(self, lane: Lane, window: Any, at: Any) -> None:
        self.builder.store(lane, self.place(window, at), align=4)

    def across(self, at: Any, count: int) -> list[Lane]:
        """Pixels from `at` on, interpolated horizontally; then those one, two, ... columns further."""
        places = [self.builder.add(at, _WHOLE(k)) for k in range(count + 1)]
        pixels = [self.builder.load(self.place(self._row, one, _BYTES), align=1) for one in places]
        grey = [self.builder.uitofp(some, _FLOATS) for some in pixels]
        return [
            self.plus(self.times(self._left, grey[k]), self.times(self._right, grey[k + 1]))
            for k in range(count)
        ]

    def between(self, upper: Lane, lower: Lane) -> Lane:
        return self.plus(self.times(self._above, upper), self.times(self._below, lower))

    def totals(self, sums: list[Any]) -> list[Any]:
        made = []
        for one in sums:
            lane = self.builder.load(one)
            for half in (4, 2, 1):
                halves = (list(range(half)), list(range(half, 2 * half)))
                lane = self.builder.fadd(*(self._picked(lane, numbers) for numbers in halves))
            made.append(self.builder.extract_element(lane, ir.IntType(32)(0)))
        return made


def _intrinsic(
    side: int, count: int, kinds: tuple[Any, ...], write: Callable[[_Writer, int], list[Any]]
) -> Intrinsic:
    """Signature and code generator of an intrinsic that returns `count` sums."""
    given = kinds[0], types.int64, types.int64, types.float32, types.float32, kinds[5]
    signature = types.UniTuple(types.float32, count)(*given)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        writer = _Writer(context, builder, signature.args, arguments)
        return context.make_tuple(builder, signature.return_type, writer.totals(write(writer, side)))

    return signature, generate


def cut_out(side: int, *kinds: Any) -> Intrinsic:
    """Intrinsic that writes a window and its Scharr gradients, and returns the sums of their products.

    It starts at the pixel above and left of the window. Window rows fill whole vectors.
    """
    return _intrinsic(side, 3, kinds, _cut_out)


def mismatch(side: int, *kinds: Any) -> Intrinsic:
    """Intrinsic that sums the difference between an image and a window along the window's gradients."""
    return _intrinsic(side, 2, kinds, _mismatch)


def _cut_out(to: _Writer, side: int) -> list[Any]:
    builder, (window, by_x, by_y), columns = to.builder, to.windows, range(0, side, LANES)
    weak, strong = (to.all_of(share) for share in _SCHARR)
    sums = [to.kept(to.all_of(0.0)) for _ in range(3)]
    for column in columns:
        at = builder.add(to.at, _WHOLE(column))
        first = [to.across(builder.add(at, builder.mul(to.stride, _WHOLE(k))), 3) for k in range(3)]
        at = to.kept(builder.add(at, builder.mul(to.stride, _WHOLE(2))))
        # Two interpolated rows and the last pixel row, each at the left, middle and right column.
        upper, middle = (
            [to.kept(to.between(*pair)) for pair in zip(*two, strict=True)] for two in (first[:2], first[1:])
        )
        last = [to.kept(lane) for lane in first[2]]
        with cgutils.for_range(builder, _WHOLE(side)) as loop:
            builder.store(builder.add(builder.load(at), to.stride), at)
            new = to.across(builder.load(at), 3)
            a, b = ([builder.load(lane) for lane in lanes] for lanes in (upper, middle))
            c = [to.between(builder.load(lane), below) for lane, below in zip(last, new, strict=True)]
            falling, rising = to.minus(c[2], a[0]), to.minus(a[2], c[0])
            x = to.plus(to.times(weak, to.plus(falling, rising)), to.times(strong, to.minus(b[2], b[0])))
            y = to.plus(to.times(weak, to.minus(falling, rising)), to.times(strong, to.minus(c[1], a[1])))
            if column + LANES > side:  # mask the padding beyond the window
                inside = ir.Constant(_FLOATS, [float(column + k < side) for k in range(LANES)])
                x, y = to.times(inside, x), to.times(inside, y)
            k = builder.add(builder.mul(loop.index, _WHOLE(len(columns) * LANES)), _WHOLE(column))
            for lane, kept in ((b[1], window), (x, by_x), (y, by_y)):
                to.write(lane, kept, k)
            for total, (one, other) in zip(sums, ((x, x), (x, y), (y, y)), strict=True):
                to.add_product(total, one, other)
            for lane, kept in zip([*b, *c, *new], [*upper, *middle, *last], strict=True):
                builder.store(lane, kept)
    return sums


def _mismatch(to: _Writer, side: int) -> list[Any]:
    builder, (window, by_x, by_y), columns = to.builder, to.windows, range(0, side, LANES)
    zero = to.all_of(0.0)
    last = [to.kept(*to.across(builder.add(to.at, _WHOLE(column)), 1)) for column in columns]
    sums = [[to.kept(zero) for _ in columns] for _ in range(2)]
    at = to.kept(to.at)
    with cgutils.for_range(builder, _WHOLE(side)) as loop:
        builder.store(builder.add(builder.load(at), to.stride), at)
        for column, upper, x, y in zip(columns, last, *sums, strict=True):
            (new,) = to.across(builder.add(builder.load(at), _WHOLE(column)), 1)
            k = builder.add(builder.mul(loop.index, _WHOLE(len(columns) * LANES)), _WHOLE(column))
            off = to.minus(to.between(builder.load(upper), new), to.read(window, k))
            builder.store(new, upper)
            to.add_product(x, off, to.read(by_x, k))
            to.add_product(y, off, to.read(by_y, k))
    for lanes in sums:
        for other in lanes[1:]:
            builder.store(builder.fadd(builder.load(lanes[0]), builder.load(other)), lanes[0])
    return [lanes[0] for lanes in sums]
