// Matrices with three diagonals. A product is a sum for each element. Systems are solved in two steps: a thread for
// each system eliminates, and a thread for each right-hand side follows what it did.
#include <limits>

#include "fastpath/gpu/linalg/matrices.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class N>
PLUMB_GPU_KERNEL ProductLoop(Global<const N> above, Global<const N> diagonal, Global<const N> below, Global<const N> x,
                             int64_t n, int64_t width, Global<N> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t row = i / width, place = row % n;
    N sum = diagonal[row] * x[i];
    if (place + 1 < n) sum += above[row] * x[i + width];
    if (place > 0) sum += below[row] * x[i - width];
    y[i] = sum;
  }
}

// What elimination leaves of a row, a diagonal and up to two above it, and what it does to right-hand sides: with
// exchanges `factor` times this row is subtracted from the next one, after they changed places; in order `factor` times
// the row before from this one.
template <class N>
struct Step {
  N diagonal, first, second, factor;
  int64_t is_exchanged;
};

// Row k of system s is number k · systems + s of `steps`. is_solved[s] is 0 where a pivot is zero.
template <class N>
PLUMB_GPU_KERNEL EliminateWithPivoting(Global<const N> diagonals, int64_t n, Global<Step<N>> steps,
                                       Global<uint8_t> is_solved) {
  const int64_t systems = is_solved.size;
  for (int64_t s = First(); s < systems; s += Stride()) {
    const Global<const N> above = diagonals.From(3 * s * n, n), diagonal = diagonals.From((3 * s + 1) * n, n);
    const Global<const N> below = diagonals.From((3 * s + 2) * n, n);
    Step<N> row = {diagonal[0], n > 1 ? N(above[0]) : N(0), N(0), N(0), 0};
    bool is_regular = true;
    for (int64_t k = 0; k + 1 < n; ++k) {
      const N under = below[k + 1];
      Step<N> next = {diagonal[k + 1], k + 2 < n ? N(above[k + 1]) : N(0), N(0), N(0), 0};
      if (Magnitude(row.diagonal) >= Magnitude(under)) {
        is_regular = is_regular && !(row.diagonal == N(0));
        row.factor = under / row.diagonal;
      } else {
        const Step<N> upper = {under, next.diagonal, next.first, row.diagonal / under, 1};
        next.diagonal = row.first;
        next.first = N(0);
        row = upper;
      }
      next.diagonal -= row.factor * row.first;
      next.first -= row.factor * row.second;
      steps[k * systems + s] = row;
      row = next;
    }
    steps[(n - 1) * systems + s] = row;
    is_solved[s] = is_regular && !(row.diagonal == N(0)) ? 1 : 0;
  }
}
template <class N>
PLUMB_GPU_KERNEL EliminateInOrder(Global<const N> diagonals, int64_t n, Global<Step<N>> steps,
                                  Global<uint8_t> is_solved) {
  const int64_t systems = is_solved.size;
  for (int64_t s = First(); s < systems; s += Stride()) {
    const Global<const N> above = diagonals.From(3 * s * n, n), diagonal = diagonals.From((3 * s + 1) * n, n);
    const Global<const N> below = diagonals.From((3 * s + 2) * n, n);
    bool is_regular = true;
    N before = N(0);  // what the row before has above its diagonal
    for (int64_t k = 0; k < n; ++k) {
      N pivot = diagonal[k];
      if (k > 0) pivot -= below[k] * before;
      is_regular = is_regular && !(pivot == N(0));
      before = above[k] / pivot;
      steps[k * systems + s] = {pivot, before, N(0), below[k], 0};
    }
    is_solved[s] = is_regular ? 1 : 0;
  }
}

// A column of a system: `at(k)` is the place of its row k.
template <class N>
struct Column {
  Global<const N> b;
  Global<N> x;
  int64_t first, width, n;
  PLUMB_GPU_INLINE int64_t At(int64_t k) const { return first + k * width; }
};

template <class N>
PLUMB_GPU_INLINE void FollowPivoting(const Column<N>& column, Global<const Step<N>> steps, int64_t s, int64_t systems) {
  const int64_t n = column.n;
  N here = column.b[column.At(0)];
  for (int64_t k = 0; k + 1 < n; ++k) {
    const Step<N> row = steps[k * systems + s];
    N next = column.b[column.At(k + 1)];
    if (row.is_exchanged != 0) {
      const N upper = next;
      next = here;
      here = upper;
    }
    column.x[column.At(k)] = here;
    here = next - row.factor * here;
  }
  N after = N(0), behind = N(0);  // the two solutions below
  for (int64_t k = n - 1; k >= 0; --k) {
    const Step<N> row = steps[k * systems + s];
    if (k + 1 < n) here = column.x[column.At(k)] - row.first * after;
    if (k + 2 < n) here -= row.second * behind;
    here = here / row.diagonal;
    column.x[column.At(k)] = here;
    behind = after;
    after = here;
  }
}
template <class N>
PLUMB_GPU_INLINE void FollowInOrder(const Column<N>& column, Global<const Step<N>> steps, int64_t s, int64_t systems) {
  N here = N(0);
  for (int64_t k = 0; k < column.n; ++k) {
    const Step<N> row = steps[k * systems + s];
    N side = column.b[column.At(k)];
    if (k > 0) side -= row.factor * here;
    here = side / row.diagonal;
    column.x[column.At(k)] = here;
  }
  for (int64_t k = column.n - 2; k >= 0; --k) {
    const Step<N> row = steps[k * systems + s];
    here = column.x[column.At(k)] - row.first * here;
    column.x[column.At(k)] = here;
  }
}

// What stands in the place of all solutions where a pivot is zero: zero, where they are complex.
template <class N>
PLUMB_GPU_INLINE N Unsolved() {
  if constexpr (std::is_same_v<N, RealOf<N>>) {
    return std::numeric_limits<N>::quiet_NaN();
  } else {
    return N(0);
  }
}

template <class N>
PLUMB_GPU_KERNEL SolveColumns(Global<const Step<N>> steps, Global<const uint8_t> is_solved, Global<const N> b,
                              int64_t n, int64_t width, bool is_pivoting, Global<N> x) {
  const int64_t systems = is_solved.size;
  for (int64_t i = First(); i < systems * width; i += Stride()) {
    const int64_t s = i / width;
    const Column<N> column = {b, x, s * n * width + i % width, width, n};
    if (is_solved[s] == 0) {
      for (int64_t k = 0; k < n; ++k) x[column.At(k)] = Unsolved<N>();
    } else if (is_pivoting) {
      FollowPivoting(column, steps, s, systems);
    } else {
      FollowInOrder(column, steps, s, systems);
    }
  }
}

template <class T>
class TridiagonalSolve final : public GpuKernel {
 public:
  explicit TridiagonalSolve(const Node& node) : pivoting_(GetAttr<bool>(node.attrs, "partial_pivoting")) {
    Require(pivoting_ || !GetAttr<bool>(node.attrs, "perturb_singular"), "Setting perturb_singular requires pivoting.");
  }
  void Run(GpuContext& context) override {
    using N = Number<T>;
    const Shape shape = context.OutputShape(0);
    const Matrices sides(shape);
    Tensor output = context.AllocateOutput(0, shape);
    if (output.elements() == 0) return;
    const int64_t n = sides.rows, systems = sides.count;
    Tensor room = context.Scratch(DType::kUint8, Shape({systems * n * static_cast<int64_t>(sizeof(Step<N>))}));
    Tensor solved = context.Scratch(DType::kUint8, Shape({systems}));
    const Global<Step<N>> steps(static_cast<Step<N>*>(room.mutable_raw()), systems * n);
    const Global<uint8_t> is_solved = context.ViewOf<uint8_t>(solved);
    Launch(context.stream(), LoopOver(systems), pivoting_ ? EliminateWithPivoting<N> : EliminateInOrder<N>,
           NumbersIn<T>(context, 0), n, steps, is_solved);
    Launch(context.stream(), LoopOver(systems * sides.columns), SolveColumns<N>, steps, is_solved,
           NumbersIn<T>(context, 1), n, sides.columns, pivoting_, NumbersOf<T>(context, output));
  }

 private:
  const bool pivoting_;
};

template <class T>
class TridiagonalMatMul final : public GpuKernel {
 public:
  explicit TridiagonalMatMul(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const Matrices sides(shape);
    Tensor output = context.AllocateOutput(0, shape);
    const Global<Number<T>> y = NumbersOf<T>(context, output);
    Launch(context.stream(), LoopOver(y.size), ProductLoop<Number<T>>, NumbersIn<T>(context, 0),
           NumbersIn<T>(context, 1), NumbersIn<T>(context, 2), NumbersIn<T>(context, 3), sides.rows, sides.columns, y);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"TridiagonalMatMul", MakeForType<TridiagonalMatMul, RealsAndComplexes>},
    {"TridiagonalSolve", MakeForType<TridiagonalSolve, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgTridiagonal() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
