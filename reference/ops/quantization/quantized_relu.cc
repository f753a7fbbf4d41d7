// Codes cut off at those of 0, and of 6.
#include <algorithm>

#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

void CheckTypes(const Node& node) {
  const auto from = GetAttr<DType>(node.attrs, "Tinput"), to = GetAttr<DType>(node.attrs, "out_type");
  if (from == to) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " is registered from ", DTypeName(from),
                 " to ", DTypeName(to), ", wanted by node '", node.name, "'");
}

// Ranges that are not known exactly may have their 0 at another code.
void Cut(OpContext& c, bool at_six) {
  const Real min = ScalarFloat(c, 1), max = ScalarFloat(c, 2);
  const Range range(CodesOf(c.output_type(0)), ValueOf(min), ValueOf(max));
  const int64_t low = range.CodeOf(0), high = at_six ? range.CodeOf(6) : range.codes.high;
  const Reader<Integer> input(c.input(0));
  Writer<Integer> output(c.output_type(0), input.shape());
  for (int64_t i = 0; i < output.size(); ++i) {
    output.Set(i, Integer(std::min(std::max(static_cast<int64_t>(input[i]), low), high)));
  }
  c.Output(0, output.Take());
  OutputFloat(c, 1, min);
  OutputFloat(c, 2, max);
}

constexpr KernelRow kRows[] = {
    {"QuantizedRelu", [](OpContext& c) { Cut(c, false); }, CheckTypes},
    {"QuantizedRelu6", [](OpContext& c) { Cut(c, true); }, CheckTypes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedRelu() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
