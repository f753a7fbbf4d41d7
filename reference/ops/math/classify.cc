#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"IsFinite",
     [](OpContext& c) {
       const auto x = Load<Real>(c.input(0));
       auto y = MakeArray<Integer>(DType::kBool, x.shape);
       for (int64_t i = 0; i < x.shape.elements(); ++i) y[i] = std::isfinite(x[i].v);
       c.Output(0, Store(y));
     }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathClassify() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
