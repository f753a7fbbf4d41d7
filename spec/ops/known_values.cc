#include "spec/ops/known_values.h"

#include <algorithm>

namespace plumb {
namespace {

bool IsSmallInteger(const Tensor* tensor) {
  return tensor != nullptr && (tensor->dtype() == DType::kInt32 || tensor->dtype() == DType::kInt64) &&
         tensor->elements() <= kMaxKnownElements;
}

bool KnowsAllInputs(const ShapeContext& context) {
  for (int i = 0; i < context.num_inputs(); ++i) {
    if (!IsSmallInteger(context.constant(i))) return false;
  }
  return true;
}

template <class T>
Tensor Converted(const Shape& shape, const std::vector<int64_t>& values) {
  Tensor tensor(DTypeOf<T>, shape);
  std::transform(values.begin(), values.end(), tensor.mutable_data<T>().begin(),
                 [](int64_t value) { return static_cast<T>(value); });
  return tensor;
}

bool FitInt32(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t x) { return x >= INT32_MIN && x <= INT32_MAX; });
}

}  // namespace

std::optional<Tensor> KnownTensor(const Folding& f, const Shape& shape, const std::vector<int64_t>& values) {
  const int64_t elements = shape.elements();
  if (elements > kMaxKnownElements || elements != static_cast<int64_t>(values.size())) return std::nullopt;
  switch (f.dtype()) {
    case DType::kInt64:
      return Converted<int64_t>(shape, values);
    case DType::kInt32:
      return FitInt32(values) ? std::optional(Converted<int32_t>(shape, values)) : std::nullopt;
    case DType::kFloat:
      return Converted<float>(shape, values);
    case DType::kDouble:
      return Converted<double>(shape, values);
    default:
      return std::nullopt;
  }
}

std::optional<Tensor> KnownVector(const Folding& f, const std::vector<int64_t>& values) {
  return KnownTensor(f, {static_cast<int64_t>(values.size())}, values);
}

std::optional<Tensor> KnownScalar(const Folding& f, int64_t value) { return KnownTensor(f, Shape(), {value}); }

std::optional<Tensor> FoldPairs(const Folding& f, FoldPair fold) {
  const std::vector<int64_t> a = f.values(0), b = f.values(1);
  if (f.input(0).rank() > 1 || f.input(1).rank() > 1) return std::nullopt;
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return std::nullopt;
  const size_t count = a.size() == 1 ? b.size() : a.size();
  std::vector<int64_t> values;
  for (size_t i = 0; i < count; ++i) {
    const auto value = fold(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return f.input(0).rank() == 0 && f.input(1).rank() == 0 ? KnownScalar(f, values[0]) : KnownVector(f, values);
}

std::vector<Tensor> FoldKnownValues(const ShapeContext& context, std::span<const DType> output_types) {
  const FoldRule& rule = context.op().fold;
  if (rule.from_shapes != nullptr) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < output_types.size(); ++i) {
      outputs.push_back(rule.from_shapes(Folding(context, output_types[i]), static_cast<int>(i)).value_or(Tensor()));
    }
    return outputs;
  }
  if (rule.from_values == nullptr || !KnowsAllInputs(context)) return {};
  if (auto folded = rule.from_values(Folding(context, output_types[0]))) return {std::move(*folded)};
  return {};
}

}  // namespace plumb
