#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

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

constexpr KernelRow kRows[] = {
    {"CheckNumerics", CheckNumerics},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckNumerics() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
