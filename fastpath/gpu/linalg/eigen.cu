// Eigenvalues of Hermitian matrices by Jacobi's rotations from both sides.
#include "fastpath/gpu/linalg/rotations.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A matrix of n rows and what is kept beside it. `v` has no elements where vectors are not wanted.
template <class N>
struct Work {
  Global<N> a, v;
  Global<Rotation<N>> rotations;
  int64_t n;
};

// The lower triangle with its adjoint above it, times a power of two; the diagonal is taken for real. V = 1.
template <class N, class Crew>
PLUMB_GPU_INLINE void TakeHermitian(const Crew& crew, Global<const N> from, int power, const Work<N>& work) {
  const int64_t n = work.n;
  for (int64_t at = crew.thread(); at < n * n; at += crew.threads()) {
    const int64_t i = at / n, j = at % n;
    const N x = j <= i ? N(from[at]) : Conjugated<N>(from[j * n + i]);
    work.a[at] = ScaledBy(i == j ? N(RealPart(x)) : x, power);
    if (work.v.size > 0) work.v[at] = N(RealOf<N>(i == j ? 1 : 0));
  }
  crew.Sync();
}

// Finds the rotations of a round. Whether this thread found any.
template <class N, class Crew>
PLUMB_GPU_INLINE bool FindRotations(const Crew& crew, const Work<N>& work, int64_t round, RealOf<N> nothing) {
  const Tournament tournament{work.n};
  bool found = false;
  for (int64_t i = crew.thread(); i < tournament.pairs(); i += crew.threads()) {
    const auto [p, q] = tournament.At(round, i);
    Rotation<N> rotation = Rotation<N>::None();
    if (q < work.n && Magnitude<N>(work.a[p * work.n + q]) > nothing) {
      rotation = Rotation<N>::Of(RealPart<N>(work.a[p * work.n + p]), work.a[p * work.n + q],
                                 RealPart<N>(work.a[q * work.n + q]));
      found = true;
    }
    work.rotations[i] = rotation;
  }
  crew.Sync();
  return found;
}

template <class N, class Crew>
PLUMB_GPU_INLINE void Rotate(const Crew& crew, const Work<N>& work, int64_t round) {
  const Tournament tournament{work.n};
  const int64_t n = work.n, pairs = tournament.pairs();
  for (int64_t at = crew.thread(); at < n * pairs; at += crew.threads()) {
    const auto [p, q] = tournament.At(round, at % pairs);
    const Rotation<N> rotation = work.rotations[at % pairs];
    if (rotation.is_needed == 0) continue;
    const int64_t row = at / pairs * n;
    rotation.TurnColumns(work.a[row + p], work.a[row + q]);
    if (work.v.size > 0) rotation.TurnColumns(work.v[row + p], work.v[row + q]);
  }
  crew.Sync();
  for (int64_t at = crew.thread(); at < n * pairs; at += crew.threads()) {
    const auto [p, q] = tournament.At(round, at / n);
    const Rotation<N> rotation = work.rotations[at / n];
    if (rotation.is_needed != 0) rotation.TurnRows(work.a[p * n + at % n], work.a[q * n + at % n]);
  }
  crew.Sync();
  for (int64_t i = crew.thread(); i < pairs; i += crew.threads()) {
    const auto [p, q] = tournament.At(round, i);
    if (work.rotations[i].is_needed == 0) continue;
    work.a[p * n + q] = work.a[q * n + p] = N(RealOf<N>(0));
    work.a[p * n + p] = N(RealPart<N>(work.a[p * n + p]));
    work.a[q * n + q] = N(RealPart<N>(work.a[q * n + q]));
  }
  crew.Sync();
}

template <class N, class Crew>
PLUMB_GPU_INLINE void Diagonalize(const Crew& crew, const Work<N>& work, Shared<RealOf<N>> shared) {
  using R = RealOf<N>;
  R squares = 0;
  for (int64_t at = crew.thread(); at < work.n * work.n; at += crew.threads())
    squares += SquareOfMagnitude<N>(work.a[at]);
  const R norm = std::sqrt(crew.template Merge<R>(squares, shared, SumOf()));
  const R nothing = std::numeric_limits<R>::epsilon() / 2 * norm;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool found = false;
    for (int64_t round = 0; round < Tournament{work.n}.rounds(); ++round) {
      found = FindRotations(crew, work, round, nothing) || found;
      Rotate(crew, work, round);
    }
    if (crew.template Merge<R>(R(found ? 1 : 0), shared, LargerOf()) == R(0)) return;
  }
}

// Values in ascending order, and the vectors in the same one.
template <class N, class Crew>
PLUMB_GPU_INLINE void GiveInOrder(const Crew& crew, const Work<N>& work, int power, Global<N> values,
                                  Global<N> vectors) {
  const int64_t n = work.n;
  for (int64_t i = crew.thread(); i < n; i += crew.threads()) {
    const RealOf<N> value = RealPart<N>(work.a[i * n + i]);
    int64_t place = 0;
    for (int64_t j = 0; j < n; ++j) {
      const RealOf<N> other = RealPart<N>(work.a[j * n + j]);
      if (other < value || (other == value && j < i)) ++place;
    }
    values[place] = N(std::scalbn(value, -power));
    for (int64_t row = 0; vectors.size > 0 && row < n; ++row) vectors[row * n + place] = work.v[row * n + i];
  }
}

// What there is of all matrices.
template <class N>
struct Batch {
  Global<const N> matrices;
  Global<N> copies, bases;
  Global<Rotation<N>> rotations;
  Global<N> values, vectors;
  int64_t count, n;
};

// Whether matrix `i` is finite.
template <class N, class Crew>
PLUMB_GPU_INLINE bool DecomposeOne(const Crew& crew, const Batch<N>& all, int64_t i,
                                   Shared<LargestElement<RealOf<N>>> elements, Shared<RealOf<N>> shared) {
  const int64_t n = all.n;
  const bool wants_vectors = all.bases.size > 0;
  const Global<const N> from = MatrixAt(all.matrices, i, n * n);
  const Work<N> work = {MatrixAt(all.copies, i, n * n), wants_vectors ? MatrixAt(all.bases, i, n * n) : Global<N>(),
                        MatrixAt(all.rotations, i, Tournament{n}.pairs()), n};
  const auto below = [&](int64_t at) { return at % n <= at / n ? N(from[at]) : N(RealOf<N>(0)); };
  const LargestElement<RealOf<N>> largest = FindLargest<N>(crew, n * n, elements, below);
  if (n > 1 && largest.is_finite == 0) return false;
  const int power = largest.is_finite != 0 ? PowerFor(largest.size) : 0;
  TakeHermitian(crew, from, power, work);
  Diagonalize(crew, work, shared);
  GiveInOrder(crew, work, power, MatrixAt(all.values, i, n),
              wants_vectors ? MatrixAt(all.vectors, i, n * n) : Global<N>());
  return true;
}

template <class Crew, class N>
PLUMB_GPU_KERNEL Decompose(Batch<N> all, Global<int64_t> slot) {
  PLUMB_GPU_SHARED(LargestElement<RealOf<N>>, elements, kWarpsOfTeams);
  PLUMB_GPU_SHARED(RealOf<N>, shared, kWarpsOfTeams);
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < all.count; i += crew.MatrixStep()) {
    const bool is_finite = DecomposeOne(crew, all, i, elements, shared);
    if (!is_finite && crew.thread() == 0) AtomicCas(slot[0], int64_t{0}, int64_t{1});
  }
}

template <class T>
class SelfAdjointEig final : public GpuKernel {
 public:
  explicit SelfAdjointEig(const Node& node) : wants_vectors_(GetAttr<bool>(node.attrs, "compute_v")) {}
  void Run(GpuContext& context) override {
    using N = Number<T>;
    const Tensor& a = context.input(0);
    const Matrices matrices(a.shape());
    Tensor values = context.AllocateOutput(0, context.OutputShape(0));
    Tensor vectors = context.AllocateOutput(1, context.OutputShape(1));
    if (a.elements() == 0) return;
    const int64_t n = matrices.rows, rotations = matrices.count * Tournament{n}.pairs();
    Tensor copies = context.Scratch(a.dtype(), a.shape());
    Tensor bases = context.Scratch(a.dtype(), wants_vectors_ ? a.shape() : Shape({0}));
    Tensor room = context.Scratch(DType::kUint8, Shape({rotations * static_cast<int64_t>(sizeof(Rotation<N>))}));
    const Global<int64_t> slot = context.NewSlot([](int64_t) {
      return Status(Code::kInvalidArgument,
                    "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
    });
    const Batch<N> all = {NumbersIn<T>(context, 0),
                          NumbersOf<T>(context, copies),
                          NumbersOf<T>(context, bases),
                          Global<Rotation<N>>(static_cast<Rotation<N>*>(room.mutable_raw()), rotations),
                          NumbersOf<T>(context, values),
                          NumbersOf<T>(context, vectors),
                          matrices.count,
                          n};
    LaunchForEach(context, matrices.count, n, Decompose<WholeBlock, N>, Decompose<OneThread, N>, all, slot);
  }

 private:
  const bool wants_vectors_;
};

constexpr GpuKernelRow kRows[] = {
    {"SelfAdjointEigV2", MakeForType<SelfAdjointEig, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgEigen() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
