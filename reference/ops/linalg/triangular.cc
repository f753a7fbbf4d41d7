// Triangular equations by substitution.
#include "reference/ops/lib/dense/triangular.h"

#include "reference/numbers/broadcast.h"

namespace plumb::reference {
namespace {

void MatrixTriangularSolve(OpContext& c) {
  const Shape a_batch = BatchOfSquares(c), b_batch = BatchOf(c, 1);
  Require(ColumnsOf(c) == RowsOf(c, 1), "the matrices ", c.tensor(0).shape().ToString(), " and the right-hand sides ",
          c.tensor(1).shape().ToString(), " do not fit");
  const Shape batch = BroadcastShape(a_batch, b_batch);
  const Shape shape = Concatenated(batch, Shape({RowsOf(c, 1), ColumnsOf(c, 1)}));
  const DType dtype = c.tensor(0).dtype();
  const bool lower = c.attr<bool>("lower"), adjoint = c.attr<bool>("adjoint");
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0)), b = Load<N>(c.input(1));
    auto x = MakeArray<N>(dtype, shape);
    if (shape.elements() == 0) return c.Output(0, Store(x));
    const auto from_a = BroadcastIndex(a_batch, batch), from_b = BroadcastIndex(b_batch, batch);
    for (int64_t i = 0; i < batch.elements(); ++i) {
      const Parts<N> triangle = TriangleOf(MatrixAt(a, from_a[static_cast<size_t>(i)]), lower, adjoint);
      SetMatrix(x, i, Substituted(triangle, lower != adjoint, MatrixAt(b, from_b[static_cast<size_t>(i)])));
    }
    c.Output(0, Store(x));
  });
}

constexpr KernelRow kRows[] = {
    {"MatrixTriangularSolve", MatrixTriangularSolve},
    {"BatchMatrixTriangularSolve", MatrixTriangularSolve},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgTriangular() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
