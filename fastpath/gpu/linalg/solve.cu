// MatrixSolve and MatrixInverse by elimination with partial pivoting.
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/linalg/elimination.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class Crew, class N>
PLUMB_GPU_KERNEL SolveSystems(Global<N> matrices, int64_t count, int64_t n, int64_t width, Global<N> sides,
                              Global<int64_t> slot) {
  PLUMB_GPU_SHARED(Pivot<RealOf<N>>, shared, kWarpsOfTeams);
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < count; i += crew.MatrixStep()) {
    const Global<N> a = MatrixAt(matrices, i, n * n), x = MatrixAt(sides, i, n * width);
    Eliminate(crew, a, n, x, width, shared, [](int64_t, int64_t) {});
    RefuseZeros(crew, a, n, slot);
    const auto element = [&](int64_t row, int64_t k) -> N { return a[row * n + k]; };
    Substitute(crew, element, false, n, x, width, 0, width);
  }
}

template <class T>
class Systems : public GpuKernel {
 public:
  explicit Systems(const Node& node) : adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

 protected:
  using N = Number<T>;
  // Of as many matrices as `x` has right-hand sides, in whose place the solutions come.
  void Solve(GpuContext& context, const Matrices& matrices, int64_t width, Tensor& x) const {
    const Tensor& a = context.input(0);
    Tensor copy = context.Scratch(a.dtype(), a.shape());
    const Global<N> factors = NumbersOf<T>(context, copy);
    if (adjoint_) {
      Launch(context.stream(), LoopOver(factors.size), AdjointLoop<N>, NumbersIn<T>(context, 0), matrices.rows,
             factors);
    } else {
      CopyRange(context, a, 0, copy, 0, a.elements());
    }
    const Global<int64_t> slot =
        context.NewSlot([](int64_t) { return Status(Code::kInvalidArgument, "Input matrix is not invertible."); });
    LaunchForEach(context, matrices.count, matrices.rows, SolveSystems<WholeBlock, N>, SolveSystems<OneThread, N>,
                  factors, matrices.count, matrices.rows, width, NumbersOf<T>(context, x), slot);
  }

 private:
  const bool adjoint_;
};

template <class T>
class MatrixSolve final : public Systems<T> {
 public:
  using Systems<T>::Systems;
  void Run(GpuContext& context) override {
    const Matrices sides(context.OutputShape(0));
    const Tensor& b = context.input(1);
    Tensor x = context.AllocateOutput(0, b.shape());
    if (x.elements() == 0) return;
    CopyRange(context, b, 0, x, 0, b.elements());
    this->Solve(context, Matrices(context.input(0).shape()), sides.columns, x);
  }
};

template <class T>
class MatrixInverse final : public Systems<T> {
 public:
  using Systems<T>::Systems;
  void Run(GpuContext& context) override {
    const Matrices matrices(context.OutputShape(0));
    Tensor inverse = context.AllocateOutput(0, context.input(0).shape());
    if (inverse.elements() == 0) return;
    const Global<Number<T>> unit = NumbersOf<T>(context, inverse);
    Launch(context.stream(), LoopOver(unit.size), UnitLoop<Number<T>>, matrices.rows, unit);
    this->Solve(context, matrices, matrices.rows, inverse);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"MatrixInverse", MakeForType<MatrixInverse, RealsAndComplexes>},
    {"MatrixSolve", MakeForType<MatrixSolve, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgSolve() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
