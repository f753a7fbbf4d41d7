// Ops that stop a step when something is wrong.
#include <cmath>

#include "reference/numbers_io.h"
#include "reference/op_context.h"

namespace plumb::reference {
namespace {

void Assert(OpContext& c) {
  const Tensor& condition = c.tensor(0);
  Require(condition.rank() == 0, "the condition of an Assert is a scalar, not of shape ", condition.shape().ToString());
  if (condition.scalar<bool>()) return;
  std::string data;
  for (int i = 1; i < c.num_inputs(); ++i) data += Str(" [", c.tensor(i).ToString(c.attr<int64_t>("summarize")), "]");
  throw InvalidArgument("assertion failed:", data);
}

void CheckNumerics(OpContext& c) {
  bool has_nan = false, has_inf = false;
  for (const Real& element : Load<Real>(c.input(0)).at) {
    has_nan |= std::isnan(element.v);
    has_inf |= std::isinf(element.v);
  }
  Require(!has_nan && !has_inf, c.attr<std::string>("message"), " : Tensor had ", has_nan ? "NaN" : "",
          has_nan && has_inf ? " and " : "", has_inf ? "Inf" : "", " values");
  c.Output(0, c.input(0));
}

}  // namespace

std::span<const KernelRow> CheckKernels() {
  static constexpr KernelRow rows[] = {{"Assert", Assert}, {"CheckNumerics", CheckNumerics}};
  return rows;
}

}  // namespace plumb::reference
