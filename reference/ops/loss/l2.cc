#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Σ t² / 2.
void L2Loss(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    Sum sum;
    for (const Real t : Load<Real>(context.input(0)).at) sum.AddProduct(t, t);
    Array<Real> loss{dtype, Shape(), {sum.Result() * 0.5}};
    context.Output(0, Store(loss));
  });
}

constexpr KernelRow kRows[] = {
    {"L2Loss", L2Loss},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossL2() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
