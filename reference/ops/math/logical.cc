#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"LogicalAnd", [](OpContext& c) { Compare<Integer>(c, [](auto x, auto y) { return x * y; }); }},
    {"LogicalOr", [](OpContext& c) { Compare<Integer>(c, [](auto x, auto y) { return x + y; }); }},
    {"LogicalNot", [](OpContext& c) { Unary<Integer>(c, [](auto x) { return Integer(x == 0); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathLogical() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
