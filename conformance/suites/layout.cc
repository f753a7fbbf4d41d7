#include "conformance/suites/layout.h"

#include <array>
#include <string>
#include <vector>

#include "spec/ops/dims.h"

namespace plumb::conformance {
namespace {

using Order = std::array<int, 4>;  // dimension i of the result is dimension order[i]
constexpr Order kToChannelsFirst = {0, 3, 1, 2}, kToChannelsLast = {0, 2, 3, 1};

// `pieces` equally long parts per dimension.
std::vector<int64_t> Turned(const std::vector<int64_t>& numbers, const Order& order, size_t pieces) {
  std::vector<int64_t> turned;
  for (const int from : order) {
    for (size_t i = 0; i < pieces; ++i) turned.push_back(numbers[static_cast<size_t>(from) * pieces + i]);
  }
  return turned;
}

Tensor TurnedImage(const Tensor& image, const Order& order) {
  const Shape& from = image.shape();
  const Shape to({from.dim(order[0]), from.dim(order[1]), from.dim(order[2]), from.dim(order[3])});
  std::array<int64_t, 4> strides = {from.dim(1) * from.dim(2) * from.dim(3), from.dim(2) * from.dim(3), from.dim(3), 1};
  Tensor turned(image.dtype(), to);
  VisitType(image.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto source = image.data<T>();
    size_t next = 0;
    for (T& element : turned.mutable_data<T>()) {
      int64_t rest = static_cast<int64_t>(next++), at = 0;
      for (int axis = 3; axis >= 0; --axis) {
        at += rest % to.dim(axis) * strides[static_cast<size_t>(order[static_cast<size_t>(axis)])];
        rest /= to.dim(axis);
      }
      element = source[static_cast<size_t>(at)];
    }
  });
  return turned;
}

Tensor TurnedSizes(const Tensor& sizes, const Order& order) {
  Tensor turned = sizes.Clone();
  const auto from = sizes.data<int32_t>();
  const auto to = turned.mutable_data<int32_t>();
  for (size_t i = 0; i < order.size(); ++i) to[i] = from[static_cast<size_t>(order[i])];
  return turned;
}

void TurnInputs(const OpDef& op, const Order& order, SampledCase* sampled) {
  size_t next = 0;
  for (const ArgDef& arg : op.inputs) {
    const bool is_filter = arg.name.find("filter") != std::string::npos;
    for (int64_t i = CountValues(arg, sampled->attrs); i > 0; --i) {
      Tensor& input = sampled->inputs.at(next++);
      const bool sizes = input.dtype() == DType::kInt32 && input.rank() == 1 && input.dim(0) == 4;
      if (is_filter) continue;
      if (input.rank() == 4) input = TurnedImage(input, order);
      if (sizes) input = TurnedSizes(input, order);
    }
  }
}

}  // namespace

void TurnLayout(const OpDef& op, const AttrValue& format, SampledCase* sampled) {
  const auto own = sampled->attrs.find(kDataFormat);
  if (own == sampled->attrs.end()) return;
  const std::string *from = own->second.Get<std::string>(), *to = format.Get<std::string>();
  if (from == nullptr || to == nullptr) return;
  const bool first = *from == "NHWC" && *to == "NCHW", last = *from == "NCHW" && *to == "NHWC";
  if (!first && !last) return;
  const Order& order = first ? kToChannelsFirst : kToChannelsLast;
  for (auto& [name, value] : sampled->attrs) {
    const auto* numbers = value.Get<std::vector<int64_t>>();
    if (numbers == nullptr || (numbers->size() != 4 && numbers->size() != 8)) continue;
    value = Turned(*numbers, order, numbers->size() / 4);
  }
  TurnInputs(op, order, sampled);
}

}  // namespace plumb::conformance
