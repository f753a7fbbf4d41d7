#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"Floor", [](OpContext& c) { Unary<Real>(c, [](auto x) { return Floor(x); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathRounding() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
