// MatrixTriangularSolve by substitution; batch dimensions broadcast. The right-hand sides of a system are cut into
// parts.
#include "fastpath/gpu/lib/walk.h"
#include "fastpath/gpu/linalg/elimination.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kColumnsOfPart = 64;

struct Systems {
  int64_t n = 0, width = 0;
  int64_t parts = 1;  // of one system
  bool is_lower = true, is_adjoint = false;
  Walk batch;  // where the matrices of a system stand among those of the operands
};

// Part `part` of all.
template <class N, class Crew>
PLUMB_GPU_INLINE void SubstitutePart(const Crew& crew, Global<const N> triangles, Global<const N> sides,
                                     const Systems& systems, int64_t part, Global<N> x) {
  const int64_t n = systems.n, width = systems.width, system = part / systems.parts;
  const int64_t begin = part % systems.parts * kColumnsOfPart;
  const int64_t count = width - begin < kColumnsOfPart ? width - begin : kColumnsOfPart;
  const Global<const N> t = MatrixAt(triangles, systems.batch.At(0, system), n * n);
  const Global<const N> b = MatrixAt(sides, systems.batch.At(1, system), n * width);
  const Global<N> to = MatrixAt(x, system, n * width);
  for (int64_t at = crew.thread(); at < n * count; at += crew.threads()) {
    const int64_t place = at / count * width + begin + at % count;
    to[place] = b[place];
  }
  crew.Sync();
  const auto element = [&](int64_t i, int64_t k) -> N {
    return systems.is_adjoint ? Conjugated<N>(t[k * n + i]) : N(t[i * n + k]);
  };
  Substitute(crew, element, systems.is_lower != systems.is_adjoint, n, to, width, begin, count);
}

template <class Crew, class N>
PLUMB_GPU_KERNEL SubstituteMatrices(Global<const N> triangles, Global<const N> sides, Systems systems, int64_t parts,
                                    Global<N> x) {
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < parts; i += crew.MatrixStep()) {
    SubstitutePart(crew, triangles, sides, systems, i, x);
  }
}

// The batch dimensions of both operands. Throws kInvalidArgument where they do not match.
Shape BroadcastBatch(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  std::vector<int64_t> dims;
  for (int axis = 0; axis < rank; ++axis) {
    const int in_a = axis - (rank - a.rank()), in_b = axis - (rank - b.rank());
    const int64_t x = in_a < 0 ? 1 : a[in_a], y = in_b < 0 ? 1 : b[in_b];
    Require(x == y || x == 1 || y == 1, "the batch dimensions ", a.ToString(), " and ", b.ToString(), " do not match");
    dims.push_back(x == 1 ? y : x);
  }
  return Shape(dims);
}

template <class T>
class MatrixTriangularSolve final : public GpuKernel {
 public:
  explicit MatrixTriangularSolve(const Node& node)
      : lower_(GetAttr<bool>(node.attrs, "lower")), adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

  void Run(GpuContext& context) override {
    const Shape &a = context.input(0).shape(), &b = context.input(1).shape();
    const Matrices left(a), right(b);
    Require(left.rows == left.columns, "square matrices are needed, not the shape ", a.ToString());
    Require(left.rows == right.rows, "the matrices ", a.ToString(), " and the right-hand sides ", b.ToString(),
            " do not fit");
    Matrices all = right;
    all.batch = BroadcastBatch(left.batch, right.batch);
    Tensor x = context.AllocateOutput(0, all.Stacked({right.rows, right.columns}));
    if (x.elements() == 0) return;
    const int64_t parts = (right.columns + kColumnsOfPart - 1) / kColumnsOfPart, count = all.batch.elements() * parts;
    const Systems systems = {right.rows, right.columns, parts,
                             lower_,     adjoint_,      BroadcastWalk(left.batch, right.batch, all.batch)};
    LaunchForEach(context, count, right.rows, SubstituteMatrices<WholeBlock, Number<T>>,
                  SubstituteMatrices<OneThread, Number<T>>, NumbersIn<T>(context, 0), NumbersIn<T>(context, 1), systems,
                  count, NumbersOf<T>(context, x));
  }

 private:
  const bool lower_, adjoint_;
};

constexpr GpuKernelRow kRows[] = {
    {"MatrixTriangularSolve", MakeForType<MatrixTriangularSolve, RealsAndComplexes>},
    {"BatchMatrixTriangularSolve", MakeForType<MatrixTriangularSolve, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgTriangular() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
