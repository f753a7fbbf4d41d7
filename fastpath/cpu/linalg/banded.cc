// BandedTriangularSolve: substitution, a row of right-hand sides at a time.
#include <algorithm>

#include "fastpath/cpu/linalg/batches.h"
#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class BandedSolveKernel final : public Kernel {
 public:
  explicit BandedSolveKernel(const Node& node)
      : lower_(GetAttr<bool>(node.attrs, "lower")), adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    const Matrices left(a), right(b);
    Require(a.elements() > 0 && b.elements() > 0, "neither the bands ", Printed(a.shape()),
            " nor the right-hand sides ", Printed(b.shape()), " may be empty");
    Require(left.rows <= left.columns && left.columns == right.rows, "the bands ", Printed(a.shape()),
            " and the right-hand sides ", Printed(b.shape()), " do not fit");
    const Shape batch = BroadcastBatch(left.batch, right.batch);
    Tensor& x = context.AllocateOutput(0, DTypeOf<T>, Stacked(batch, {right.rows, right.columns}));
    const T *const from = a.data<T>().data(), *const sides = b.data<T>().data();
    T* const to = x.mutable_data<T>().data();
    ForEachMatrix(context.pool(), batch.elements(), left.size() * right.columns, [&](int64_t i) {
      const ConstMap<T> bands(from + NumberIn(left.batch, batch, i) * left.size(), left.rows, left.columns);
      MutableMap<T> result(to + i * right.size(), right.rows, right.columns);
      RequirePivots(bands);
      result = ConstMap<T>(sides + NumberIn(right.batch, batch, i) * right.size(), right.rows, right.columns);
      Substitute(bands, result);
    });
  }

 private:
  // As TensorFlow, which looks for the smallest size: zero is refused, and what is no number only where it is first.
  void RequirePivots(const ConstMap<T>& bands) const {
    const int64_t diagonal = lower_ ? 0 : bands.rows() - 1;
    for (int64_t i = 0; i < bands.cols(); ++i) {
      const auto size = std::abs(bands(diagonal, i));
      Require(size > 0 || (i > 0 && size != 0), "the matrix is not invertible, for element ", i, " of its diagonal is ",
              size);
    }
  }

  // The element at `distance` from the diagonal in row i of the triangle that is solved with.
  T At(const ConstMap<T>& bands, int64_t i, int64_t distance) const {
    const int64_t band = lower_ ? distance : bands.rows() - 1 - distance;
    if (!adjoint_) return bands(band, i);
    return Eigen::numext::conj(bands(band, lower_ ? i + distance : i - distance));
  }

  void Substitute(const ConstMap<T>& bands, MutableMap<T>& x) const {
    const bool downwards = lower_ != adjoint_;
    const int64_t n = x.rows();
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = downwards ? step : n - 1 - step;
      for (int64_t k = 1; k <= std::min<int64_t>(bands.rows() - 1, step); ++k) {
        x.row(i) -= At(bands, i, k) * x.row(downwards ? i - k : i + k);
      }
      x.row(i) /= At(bands, i, 0);
    }
  }

  const bool lower_;
  const bool adjoint_;
};

constexpr KernelRow kRows[] = {
    {"BandedTriangularSolve", MakeFor<BandedSolveKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgBanded() { return kRows; }

}  // namespace plumb::fast::cpu
