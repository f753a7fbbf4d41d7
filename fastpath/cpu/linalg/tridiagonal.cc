// Matrices with three diagonals: a pass over the rows for a product, two for an elimination.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/linalg/matrices.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

// Columns from which on a loop of its own pays for a row.
constexpr int64_t kVectorWidth = 8;
constinit ChoicePoint in_vectors("tridiagonal equations: element by element, or in vectors");

// Columns of one system, whose rows lie `stride` apart. Its right-hand sides stand in `x`, and are overwritten by the
// solutions row by row.
template <class T>
struct System {
  int64_t n, width, stride;
  const T *above, *diagonal, *below;
  T* x;

  T* Row(int64_t i) const { return x + i * stride; }
  bool InVectors() const { return in_vectors.Chosen(width >= kVectorWidth); }
  void Scale(int64_t i, T by) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (InVectors()) return TakeQuotients(by, width, Row(i));
    }
    for (int64_t j = 0; j < width; ++j) Row(i)[j] /= by;
  }
  // Rows i and k change places, by way of a few elements at a time: copies are the fastest moves that there are.
  void Exchange(int64_t i, int64_t k) const {
    if (!InVectors()) {
      std::swap_ranges(Row(i), Row(i) + width, Row(k));
      return;
    }
    constexpr int64_t kAtOnce = 64;
    T kept[kAtOnce];
    for (int64_t j = 0; j < width; j += kAtOnce) {
      const int64_t count = std::min(kAtOnce, width - j);
      std::copy_n(Row(i) + j, count, kept);
      std::copy_n(Row(k) + j, count, Row(i) + j);
      std::copy_n(kept, count, Row(k) + j);
    }
  }
  // row i -= factor · row k
  void Subtract(int64_t i, T factor, int64_t k) const {
    T* const to = Row(i);
    const T* const from = Row(k);
    if constexpr (std::is_floating_point_v<T>) {
      if (InVectors()) return AddMultiple(from, -factor, width, to);
    }
    for (int64_t j = 0; j < width; ++j) to[j] -= factor * from[j];
  }
};

// The upper triangle that partial pivoting leaves: a diagonal and two above it.
template <class T>
struct UpperRow {
  T diagonal, first, second;
};

// False where a pivot is zero.
template <class T>
bool SolveWithPivoting(const System<T>& s, std::vector<UpperRow<T>>& u) {
  const int64_t n = s.n;
  u.resize(static_cast<size_t>(n));
  u[0] = {s.diagonal[0], n > 1 ? s.above[0] : T(0), T(0)};
  for (int64_t i = 0; i + 1 < n; ++i) {
    UpperRow<T>& row = u[static_cast<size_t>(i)];
    const T below = s.below[i + 1];
    UpperRow<T> next = {s.diagonal[i + 1], i + 2 < n ? s.above[i + 1] : T(0), T(0)};
    T factor;
    if (std::abs(row.diagonal) >= std::abs(below)) {
      if (row.diagonal == T(0)) return false;
      factor = below / row.diagonal;
    } else {
      factor = row.diagonal / below;
      const UpperRow<T> upper = {below, next.diagonal, next.first};
      next = {row.first, T(0), T(0)};
      row = upper;
      s.Exchange(i, i + 1);
    }
    next.diagonal -= factor * row.first;
    next.first -= factor * row.second;
    u[static_cast<size_t>(i + 1)] = next;
    s.Subtract(i + 1, factor, i);
  }
  if (u[static_cast<size_t>(n - 1)].diagonal == T(0)) return false;
  for (int64_t i = n - 1; i >= 0; --i) {
    const UpperRow<T>& row = u[static_cast<size_t>(i)];
    if (i + 1 < n) s.Subtract(i, row.first, i + 1);
    if (i + 2 < n) s.Subtract(i, row.second, i + 2);
    s.Scale(i, row.diagonal);
  }
  return true;
}

// Thomas' algorithm; false where a pivot is zero.
template <class T>
bool SolveInOrder(const System<T>& s, std::vector<UpperRow<T>>& u) {
  const int64_t n = s.n;
  u.resize(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    T pivot = s.diagonal[i];
    if (i > 0) {
      pivot -= s.below[i] * u[static_cast<size_t>(i - 1)].first;
      s.Subtract(i, s.below[i], i - 1);
    }
    if (pivot == T(0)) return false;
    s.Scale(i, pivot);
    u[static_cast<size_t>(i)].first = s.above[i] / pivot;
  }
  for (int64_t i = n - 2; i >= 0; --i) s.Subtract(i, u[static_cast<size_t>(i)].first, i + 1);
  return true;
}

// Moves a pivot that is too small beside what it shall divide, by `step` and its doubles, as LAPACK's xLAGTS does.
template <class T>
void MovePivot(decltype(std::abs(T())) step, T& pivot, T* row, int64_t width) {
  using R = decltype(std::abs(T()));
  constexpr R kLeast = std::numeric_limits<R>::min(), kMost = 1 / kLeast;
  step = std::copysign(std::max(step, kLeast), std::real(pivot));
  R largest = 0;
  for (int64_t j = 0; j < width; ++j) largest = std::max(largest, std::abs(row[j]));
  for (R size = std::abs(pivot); size < 1; size = std::abs(pivot)) {
    const bool is_tiny = size < kLeast;
    if (size != 0 && !(is_tiny ? largest * kLeast > size : largest > size * kMost)) {
      if (!is_tiny) return;
      pivot *= kMost;
      for (int64_t j = 0; j < width; ++j) row[j] *= kMost;
      return;
    }
    pivot += step;
    step *= 2;
  }
}

// Of a singular matrix: rows are exchanged by how large their pivots are beside the rest of the row, and pivots that
// are too small are moved.
template <class T>
void SolvePerturbed(const System<T>& s, std::vector<UpperRow<T>>& u) {
  using R = decltype(std::abs(T()));
  const int64_t n = s.n;
  u.resize(static_cast<size_t>(n));
  u[0] = {s.diagonal[0], n > 1 ? s.above[0] : T(0), T(0)};
  R largest = std::max(std::abs(u[0].diagonal), std::abs(u[0].first));
  R size = std::abs(u[0].diagonal) + std::abs(u[0].first);
  for (int64_t i = 0; i + 1 < n; ++i) {
    UpperRow<T>&row = u[static_cast<size_t>(i)], &next = u[static_cast<size_t>(i + 1)];
    const T below = s.below[i + 1];
    next = {s.diagonal[i + 1], i + 2 < n ? s.above[i + 1] : T(0), T(0)};
    const R next_size = std::abs(below) + std::abs(next.diagonal) + std::abs(next.first);
    const R share = row.diagonal == T(0) ? R(0) : std::abs(row.diagonal) / size;
    if (below == T(0)) {
      size = next_size;
    } else if (std::abs(below) / next_size <= share) {
      size = next_size;
      const T factor = below / row.diagonal;
      next.diagonal -= factor * row.first;
      s.Subtract(i + 1, factor, i);
    } else {
      const T factor = row.diagonal / below;
      const UpperRow<T> upper = {below, next.diagonal, next.first};
      next = {row.first - factor * next.diagonal, -factor * next.first, T(0)};
      row = upper;
      s.Exchange(i, i + 1);
      s.Subtract(i + 1, factor, i);
    }
    if (i + 2 < n) largest = std::max({largest, std::abs(row.diagonal), std::abs(row.first), std::abs(row.second)});
  }
  if (n > 1) largest = std::max(largest, std::abs(u[static_cast<size_t>(n - 1)].diagonal));
  for (int64_t i = n - 1; i >= 0; --i) {
    UpperRow<T>& row = u[static_cast<size_t>(i)];
    if (i + 1 < n) s.Subtract(i, row.first, i + 1);
    if (i + 2 < n) s.Subtract(i, row.second, i + 2);
    MovePivot(std::numeric_limits<R>::epsilon() * largest, row.diagonal, s.Row(i), s.width);
    const T inverse = T(1) / row.diagonal;
    for (int64_t j = 0; j < s.width; ++j) s.Row(i)[j] *= inverse;
  }
}

// Columns of a system that are solved at once: few enough to stay near, and many beside the search for pivots.
constexpr int64_t kBlock = 512;
constinit ChoicePoint in_blocks("tridiagonal equations: all columns at once, or in blocks");

template <class T>
class TridiagonalSolveKernel : public Kernel {
 public:
  explicit TridiagonalSolveKernel(const Node& node)
      : pivoting_(GetAttr<bool>(node.attrs, "partial_pivoting")),
        perturbs_(GetAttr<bool>(node.attrs, "perturb_singular")) {
    Require(pivoting_ || !perturbs_, "Setting perturb_singular requires pivoting.");
  }

  void Run(KernelContext& context) override {
    const Tensor &diagonals = context.input(0), &right = context.input(1);
    const Matrices rows(diagonals), sides(right);
    Require(rows.batch == sides.batch && rows.rows == 3 && rows.columns == sides.rows, "three diagonals ",
            Printed(diagonals.shape()), " and right-hand sides ", Printed(right.shape()), " do not fit");
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, right.shape());
    if (diagonals.elements() == 0) return;
    // A pivot that is moved depends on all columns. Others depend on none, and each block of columns finds them anew.
    const int64_t n = sides.rows, width = sides.columns;
    const int64_t block = in_blocks.Chosen(!perturbs_ && width > kBlock) ? kBlock : std::max<int64_t>(width, 1);
    const int64_t blocks = (width + block - 1) / block;
    const T *const from = diagonals.data<T>().data(), *const b = right.data<T>().data();
    T* const x = output.mutable_data<T>().data();
    const int64_t work = n * (block + 8) * 4;
    context.pool().ParallelFor(rows.batch.elements() * blocks, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<UpperRow<T>> upper;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t matrix = i / blocks, column = i % blocks * block, at = matrix * n * width + column;
        const T* const above = from + 3 * matrix * n;
        Solve({n, std::min(block, width - column), width, above, above + n, above + 2 * n, x + at}, b + at, upper);
      }
    });
  }

 private:
  // In System::x, of the right-hand sides that lie at `b` as they shall there.
  void Solve(const System<T>& system, const T* b, std::vector<UpperRow<T>>& upper) const {
    const auto copy = [&] {
      for (int64_t i = 0; i < system.n; ++i) std::copy_n(b + i * system.stride, system.width, system.Row(i));
    };
    copy();
    if ((pivoting_ ? SolveWithPivoting<T> : SolveInOrder<T>)(system, upper)) return;
    if (perturbs_) {
      copy();
      return SolvePerturbed(system, upper);
    }
    // Of complex numbers that is zero: they have no limits.
    for (int64_t i = 0; i < system.n; ++i) {
      std::fill_n(system.Row(i), system.width, std::numeric_limits<T>::quiet_NaN());
    }
  }

  const bool pivoting_, perturbs_;
};

template <class T>
class TridiagonalMatMulKernel : public Kernel {
 public:
  explicit TridiagonalMatMulKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& right = context.input(3);
    const Matrices sides(right);
    const int64_t n = sides.rows, width = sides.columns;
    for (int i = 0; i < 3; ++i) {
      const Matrices row(context.input(i));
      Require(row.batch == sides.batch && row.rows == 1 && row.columns == n, "the diagonal ", i, " of shape ",
              Printed(context.input(i).shape()), " does not fit the right-hand sides ", Printed(right.shape()));
    }
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, right.shape());
    if (output.elements() == 0) return;
    const auto data = [&](int i) { return context.input(i).data<T>().data(); };
    const T *const above = data(0), *const diagonal = data(1), *const below = data(2), *const x = data(3);
    T* const y = output.mutable_data<T>().data();
    context.pool().ParallelFor(sides.batch.elements() * n, GrainFor(width * 2), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t place = row % n;
        const T *const here = x + row * width, *const before = here - width, *const after = here + width;
        T* const to = y + row * width;
        for (int64_t j = 0; j < width; ++j) to[j] = diagonal[row] * here[j];
        for (int64_t j = 0; j < width && place + 1 < n; ++j) to[j] += above[row] * after[j];
        for (int64_t j = 0; j < width && place > 0; ++j) to[j] += below[row] * before[j];
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"TridiagonalMatMul", MakeFor<TridiagonalMatMulKernel, LinalgTypes>},
    {"TridiagonalSolve", MakeFor<TridiagonalSolveKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgTridiagonal() { return kRows; }

}  // namespace plumb::fast::cpu
