#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"Conj", [](OpContext& c) { Unary<Complex>(c, [](auto x) { return Conj(x); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathComplex() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
