// Singular values by Jacobi's rotations from one side: they make the columns of A·V orthogonal, whose lengths are the
// values. Where A has fewer rows than columns, its adjoint is taken. Columns lie in a row, so that a warp has a pair.
#include <algorithm>

#include "fastpath/gpu/linalg/rotations.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Sizes {
  int64_t m = 0, n = 0;           // of the matrices
  int64_t count = 0, length = 0;  // the smaller one: how many columns are rotated; the larger one: how long they are
  int64_t left = 0, right = 0;    // columns of U and V
  bool wants_vectors = true;

  PLUMB_GPU_WORD bool is_tall() const { return m >= n; }
  // Vectors that are as long as the columns.
  PLUMB_GPU_WORD int64_t long_ones() const { return is_tall() ? left : right; }
};

// What is kept of a matrix: `columns` of A·V and of V, number j at j · length and j · count; `basis`, unit vectors
// along the columns in the order of the values; the squares of lengths, and where a column stands in that order.
template <class N>
struct Work {
  Global<N> columns, v, basis, overlaps;
  Global<RealOf<N>> lengths;
  Global<int64_t> places;
};

// conj(x)·y, for all lanes of the warp.
template <class N, class Crew>
PLUMB_GPU_INLINE N Overlap(const Crew& crew, Global<N> x, Global<N> y) {
  N sum = N(RealOf<N>(0));
  for (int64_t i = crew.lane(); i < x.size; i += crew.lanes()) sum += Conjugated<N>(x[i]) * y[i];
  return crew.SumOfWarp(sum);
}
template <class N, class Crew>
PLUMB_GPU_INLINE RealOf<N> SquareOfLength(const Crew& crew, Global<N> x) {
  RealOf<N> sum = 0;
  for (int64_t i = crew.lane(); i < x.size; i += crew.lanes()) sum += SquareOfMagnitude<N>(x[i]);
  return crew.SumOfWarp(sum);
}

// Makes a pair of columns orthogonal. Whether they were not.
template <class N, class Crew>
PLUMB_GPU_INLINE bool RotatePair(const Crew& crew, const Work<N>& work, const Sizes& sizes, int64_t p, int64_t q) {
  using R = RealOf<N>;
  constexpr R kEpsilon = std::numeric_limits<R>::epsilon(), kNothing = std::numeric_limits<R>::min() / kEpsilon;
  const Global<N> x = work.columns.From(p * sizes.length, sizes.length);
  const Global<N> y = work.columns.From(q * sizes.length, sizes.length);
  const R xx = SquareOfLength(crew, x), yy = SquareOfLength(crew, y);
  const N xy = Overlap(crew, x, y);
  const R size = Magnitude(xy), right_angle = kEpsilon * static_cast<R>(sizes.length) * std::sqrt(xx) * std::sqrt(yy);
  if (size <= right_angle || size < kNothing) return false;
  const Rotation<N> rotation = Rotation<N>::Of(xx, xy, yy);
  for (int64_t i = crew.lane(); i < sizes.length; i += crew.lanes()) rotation.TurnColumns(x[i], y[i]);
  if (!sizes.wants_vectors) return true;
  for (int64_t i = crew.lane(); i < sizes.count; i += crew.lanes()) {
    rotation.TurnColumns(work.v[p * sizes.count + i], work.v[q * sizes.count + i]);
  }
  return true;
}

template <class N, class Crew>
PLUMB_GPU_INLINE void Orthogonalize(const Crew& crew, const Work<N>& work, const Sizes& sizes,
                                    Shared<RealOf<N>> shared) {
  using R = RealOf<N>;
  const Tournament tournament{sizes.count};
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool found = false;
    for (int64_t round = 0; round < tournament.rounds(); ++round) {
      for (int64_t i = crew.warp(); i < tournament.pairs(); i += crew.warps()) {
        const auto [p, q] = tournament.At(round, i);
        if (q < sizes.count) found = RotatePair(crew, work, sizes, p, q) || found;
      }
      crew.Sync();
    }
    if (crew.template Merge<R>(R(found ? 1 : 0), shared, LargerOf()) == R(0)) return;
  }
}

// Lengths, and the places of the columns when the longest comes first.
template <class N, class Crew>
PLUMB_GPU_INLINE void Measure(const Crew& crew, const Work<N>& work, const Sizes& sizes) {
  for (int64_t j = crew.warp(); j < sizes.count; j += crew.warps()) {
    const RealOf<N> square = SquareOfLength(crew, work.columns.From(j * sizes.length, sizes.length));
    if (crew.lane() == 0) work.lengths[j] = std::sqrt(square);
  }
  crew.Sync();
  for (int64_t j = crew.thread(); j < sizes.count; j += crew.threads()) {
    int64_t place = 0;
    for (int64_t i = 0; i < sizes.count; ++i) {
      if (work.lengths[i] > work.lengths[j] || (work.lengths[i] == work.lengths[j] && i < j)) ++place;
    }
    work.places[j] = place;
  }
  crew.Sync();
}

// Makes the vector at `at` of the basis orthogonal to the `known` first ones.
template <class N, class Crew>
PLUMB_GPU_INLINE void ProjectOut(const Crew& crew, const Work<N>& work, const Sizes& sizes, int64_t known, int64_t at) {
  const int64_t length = sizes.length;
  const Global<N> x = work.basis.From(at * length, length);
  for (int64_t j = crew.warp(); j < known; j += crew.warps()) {
    const N overlap = Overlap(crew, work.basis.From(j * length, length), x);
    if (crew.lane() == 0) work.overlaps[j] = overlap;
  }
  crew.Sync();
  for (int64_t i = crew.thread(); i < length; i += crew.threads()) {
    for (int64_t j = 0; j < known; ++j) x[i] -= work.overlaps[j] * work.basis[j * length + i];
  }
  crew.Sync();
}

// Puts unit vectors that are orthogonal to the `known` first ones behind them.
template <class N, class Crew>
PLUMB_GPU_INLINE void CompleteBasis(const Crew& crew, const Work<N>& work, const Sizes& sizes, int64_t known,
                                    Shared<RealOf<N>> shared) {
  using R = RealOf<N>;
  const int64_t length = sizes.length;
  for (int64_t unit = 0; known < sizes.long_ones() && unit < length; ++unit) {
    const Global<N> x = work.basis.From(known * length, length);
    for (int64_t i = crew.thread(); i < length; i += crew.threads()) x[i] = N(R(i == unit ? 1 : 0));
    crew.Sync();
    for (int again = 0; again < 2; ++again) ProjectOut(crew, work, sizes, known, known);
    R square = 0;
    for (int64_t i = crew.thread(); i < length; i += crew.threads()) square += SquareOfMagnitude<N>(x[i]);
    square = crew.template Merge<R>(square, shared, SumOf());
    // Of the units that are left one has so much.
    if (square * static_cast<R>(2 * length) <= R(1)) continue;
    for (int64_t i = crew.thread(); i < length; i += crew.threads()) x[i] = x[i] / std::sqrt(square);
    crew.Sync();
    ++known;
  }
}

// The unit vectors along the columns. A column that is no longer than what rounding leaves has no direction.
template <class N, class Crew>
PLUMB_GPU_INLINE void FindBasis(const Crew& crew, const Work<N>& work, const Sizes& sizes, Shared<RealOf<N>> shared) {
  using R = RealOf<N>;
  R longest = 0, known = 0;
  for (int64_t j = 0; j < sizes.count; ++j) longest = longest < work.lengths[j] ? work.lengths[j] : longest;
  const R nothing = std::numeric_limits<R>::epsilon() * static_cast<R>(sizes.length) * longest;
  for (int64_t j = 0; j < sizes.count; ++j) {
    const R length = work.lengths[j];
    if (!(length > nothing)) continue;
    known += R(1);
    for (int64_t i = crew.thread(); i < sizes.length; i += crew.threads()) {
      work.basis[work.places[j] * sizes.length + i] = work.columns[j * sizes.length + i] / length;
    }
  }
  crew.Sync();
  CompleteBasis(crew, work, sizes, static_cast<int64_t>(known), shared);
}

template <class N>
struct Results {
  Global<N> s, u, v;
};

template <class N, class Crew>
PLUMB_GPU_INLINE void GiveVectors(const Crew& crew, const Work<N>& work, const Sizes& sizes, const Results<N>& to) {
  const Global<N> of_columns = sizes.is_tall() ? to.u : to.v, of_rotations = sizes.is_tall() ? to.v : to.u;
  const int64_t width = sizes.long_ones();
  for (int64_t at = crew.thread(); at < sizes.length * width; at += crew.threads()) {
    of_columns[at] = work.basis[at % width * sizes.length + at / width];
  }
  for (int64_t at = crew.thread(); at < sizes.count * sizes.count; at += crew.threads()) {
    const int64_t j = at / sizes.count, i = at % sizes.count;
    of_rotations[i * sizes.count + work.places[j]] = work.v[at];
  }
}

// The columns of A, or of its adjoint, times a power of two. V = 1.
template <class N, class Crew>
PLUMB_GPU_INLINE void TakeColumns(const Crew& crew, Global<const N> a, const Sizes& sizes, int power,
                                  const Work<N>& work) {
  for (int64_t at = crew.thread(); at < sizes.m * sizes.n; at += crew.threads()) {
    const int64_t j = at / sizes.length, i = at % sizes.length;
    const N x = sizes.is_tall() ? N(a[i * sizes.n + j]) : Conjugated<N>(a[at]);
    work.columns[at] = ScaledBy(x, power);
  }
  for (int64_t at = crew.thread(); at < work.v.size; at += crew.threads()) {
    work.v[at] = N(RealOf<N>(at / sizes.count == at % sizes.count ? 1 : 0));
  }
  crew.Sync();
}

template <class N>
PLUMB_GPU_INLINE Work<N> WorkOn(const Work<N>& all, const Sizes& sizes, int64_t i) {
  const int64_t vectors = sizes.wants_vectors ? 1 : 0, count = sizes.count, width = vectors * sizes.long_ones();
  return {MatrixAt(all.columns, i, count * sizes.length),
          MatrixAt(all.v, i, vectors * count * count),
          MatrixAt(all.basis, i, width * sizes.length),
          MatrixAt(all.overlaps, i, width),
          MatrixAt(all.lengths, i, count),
          MatrixAt(all.places, i, count)};
}

template <class N, class Crew>
PLUMB_GPU_INLINE void FillWith(const Crew& crew, N value, Global<N> to) {
  for (int64_t i = crew.thread(); i < to.size; i += crew.threads()) to[i] = value;
}

template <class N, class Crew>
PLUMB_GPU_INLINE void DecomposeOne(const Crew& crew, Global<const N> a, const Sizes& sizes, const Work<N>& work,
                                   const Results<N>& to, Shared<LargestElement<RealOf<N>>> elements,
                                   Shared<RealOf<N>> shared) {
  const LargestElement<RealOf<N>> largest =
      FindLargest<N>(crew, a.size, elements, [&](int64_t at) { return N(a[at]); });
  if (largest.is_finite == 0) {
    const N nan = N(std::numeric_limits<RealOf<N>>::quiet_NaN());
    FillWith(crew, nan, to.s);
    FillWith(crew, nan, to.u);
    FillWith(crew, nan, to.v);
    return;
  }
  const int power = PowerFor(largest.size);
  TakeColumns(crew, a, sizes, power, work);
  Orthogonalize(crew, work, sizes, shared);
  Measure(crew, work, sizes);
  for (int64_t j = crew.thread(); j < sizes.count; j += crew.threads()) {
    to.s[work.places[j]] = N(std::scalbn(work.lengths[j], -power));
  }
  if (!sizes.wants_vectors) return;
  FindBasis(crew, work, sizes, shared);
  GiveVectors(crew, work, sizes, to);
}

template <class Crew, class N>
PLUMB_GPU_KERNEL Decompose(Global<const N> matrices, int64_t count, Sizes sizes, Work<N> all, Results<N> results) {
  PLUMB_GPU_SHARED(LargestElement<RealOf<N>>, elements, kWarpsOfTeams);
  PLUMB_GPU_SHARED(RealOf<N>, shared, kWarpsOfTeams);
  const int64_t vectors = sizes.wants_vectors ? 1 : 0;
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < count; i += crew.MatrixStep()) {
    const Results<N> to = {MatrixAt(results.s, i, sizes.count), MatrixAt(results.u, i, vectors * sizes.m * sizes.left),
                           MatrixAt(results.v, i, vectors * sizes.n * sizes.right)};
    DecomposeOne(crew, MatrixAt(matrices, i, sizes.m * sizes.n), sizes, WorkOn(all, sizes, i), to, elements, shared);
  }
}

template <class T>
class SvdKernel final : public GpuKernel {
 public:
  explicit SvdKernel(const Node& node)
      : wants_vectors_(GetAttr<bool>(node.attrs, "compute_uv")), full_(GetAttr<bool>(node.attrs, "full_matrices")) {}

  void Run(GpuContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices(a.shape());
    const int64_t m = matrices.rows, n = matrices.columns, count = std::min(m, n);
    const Sizes sizes = {m, n, count, std::max(m, n), full_ ? m : count, full_ ? n : count, wants_vectors_};
    const auto stacked = [&](int64_t rows, int64_t columns) {
      return wants_vectors_ ? matrices.Stacked({rows, columns}) : Shape({0});
    };
    Tensor s = context.AllocateOutput(0, matrices.Stacked({count}));
    Tensor u = context.AllocateOutput(1, stacked(m, sizes.left)),
           v = context.AllocateOutput(2, stacked(n, sizes.right));
    const Results<N> results = {NumbersOf<T>(context, s), NumbersOf<T>(context, u), NumbersOf<T>(context, v)};
    if (count == 0) return GiveUnits(context, sizes, results);
    if (matrices.count > 0) Queue(context, matrices.count, sizes, results);
  }

 private:
  using N = Number<T>;

  // Of matrices without elements: bases of spaces whose dimension is not zero, where whole ones are asked for.
  static void GiveUnits(GpuContext& context, const Sizes& sizes, const Results<N>& to) {
    Launch(context.stream(), LoopOver(to.u.size), UnitLoop<N>, sizes.m, to.u);
    Launch(context.stream(), LoopOver(to.v.size), UnitLoop<N>, sizes.n, to.v);
  }

  void Queue(GpuContext& context, int64_t matrices, const Sizes& sizes, const Results<N>& results) const {
    const auto room = [&](int64_t size) { return context.Scratch(context.input(0).dtype(), Shape({matrices * size})); };
    const int64_t vectors = wants_vectors_ ? 1 : 0, width = vectors * sizes.long_ones();
    Tensor columns = room(sizes.count * sizes.length), v = room(vectors * sizes.count * sizes.count);
    Tensor basis = room(width * sizes.length), overlaps = room(width);
    Tensor lengths = context.Scratch(DTypeOf<RealOf<N>>, Shape({matrices * sizes.count}));
    Tensor places = context.Scratch(DType::kInt64, Shape({matrices * sizes.count}));
    const Work<N> work = {NumbersOf<T>(context, columns),     NumbersOf<T>(context, v),
                          NumbersOf<T>(context, basis),       NumbersOf<T>(context, overlaps),
                          context.ViewOf<RealOf<N>>(lengths), context.ViewOf<int64_t>(places)};
    LaunchForEach(context, matrices, sizes.length, Decompose<WholeBlock, N>, Decompose<OneThread, N>,
                  NumbersIn<T>(context, 0), matrices, sizes, work, results);
  }

  const bool wants_vectors_, full_;
};

using RealTypes = TypeList<float, double>;

constexpr GpuKernelRow kRows[] = {
    {"Svd", MakeForType<SvdKernel, RealTypes>},
    {"BatchSvd", MakeForType<SvdKernel, RealTypes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgSvd() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
