#include "reference/ops/lib/variant_arithmetic.h"

#include <set>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/optional.h"
#include "reference/ops/lib/ragged_variant.h"
#include "reference/ops/lib/tensor_list.h"
#include "spec/core/variant_codec.h"

namespace plumb::reference {
namespace {

Value AddedNumbers(const Value& a, const Value& b) {
  Value sum;
  ForNumber(a.tensor.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(a), y(b);
    Writer<N> z(a.tensor.dtype(), x.shape());
    for (int64_t i = 0; i < z.size(); ++i) {
      SumOf<N> total;
      total.Add(x[i]);
      total.Add(y[i]);
      z.Set(i, total.Result());
    }
    sum = z.Take();
  });
  return sum;
}

// A part that has no value counts as zero.
Value AddedParts(const Value& a, const Value& b) {
  if (!a.tensor.IsSet()) return b;
  if (!b.tensor.IsSet()) return a;
  const DType dtype = a.tensor.dtype();
  Require(b.tensor.dtype() == dtype, "values of ", DTypeName(dtype), " and of ", DTypeName(b.tensor.dtype()),
          " cannot be added up");
  const bool is_number = IsFloating(dtype) || IsComplex(dtype) || IsInteger(dtype);
  Require(is_number || dtype == DType::kVariant, "values of ", DTypeName(dtype), " in variants cannot be added up");
  Require(a.tensor.shape() == b.tensor.shape(), "values of the shapes ", a.tensor.shape().ToString(), " and ",
          b.tensor.shape().ToString(), " cannot be added up");
  if (is_number) return AddedNumbers(a, b);
  Tensor sum(DType::kVariant, a.tensor.shape());
  for (int64_t i = 0; i < sum.elements(); ++i) {
    sum.mutable_data<Variant>()[i] = Added(a.tensor.data<Variant>()[i], b.tensor.data<Variant>()[i]);
  }
  return sum;
}

Value ZeroOf(const Value& value) {
  if (!value.tensor.IsSet()) return value;
  const Tensor& tensor = value.tensor;
  const DType dtype = tensor.dtype();
  Require(dtype != DType::kString && dtype != DType::kResource, "there is no zero for elements of ", DTypeName(dtype));
  Tensor zeros = Zeros(dtype, tensor.shape());
  for (int64_t i = 0; dtype == DType::kVariant && i < tensor.elements(); ++i) {
    zeros.mutable_data<Variant>()[i] = ZerosLike(tensor.data<Variant>()[i]);
  }
  return zeros;
}

std::vector<Value> AddedAll(const std::vector<Value>& a, const std::vector<Value>& b) {
  Require(a.size() == b.size(), "variants of ", a.size(), " and ", b.size(), " values cannot be added up");
  std::vector<Value> sums;
  for (size_t i = 0; i < a.size(); ++i) sums.push_back(AddedParts(a[i], b[i]));
  return sums;
}
std::vector<Value> ZerosOfAll(const std::vector<Value>& values) {
  std::vector<Value> zeros;
  for (const Value& value : values) zeros.push_back(ZeroOf(value));
  return zeros;
}

TensorList Added(const TensorList& a, const TensorList& b) {
  Require(a.element_dtype == b.element_dtype, "lists of ", DTypeName(a.element_dtype), " and of ",
          DTypeName(b.element_dtype), " cannot be added up");
  TensorList sum;
  sum.element_dtype = a.element_dtype;
  sum.element_shape = a.element_shape.MergeWith(b.element_shape);
  sum.elements = AddedAll(a.elements, b.elements);
  return sum;
}

RaggedVariant Added(const RaggedVariant& a, const RaggedVariant& b) {
  bool is_same = a.splits.size() == b.splits.size();
  for (size_t i = 0; is_same && i < a.splits.size(); ++i) {
    is_same = a.splits[i].dtype() == b.splits[i].dtype() && ToInt64s(a.splits[i]) == ToInt64s(b.splits[i]);
  }
  Require(is_same, "ragged tensors whose splits differ cannot be added up");
  RaggedVariant sum;
  sum.splits = a.splits;
  sum.values = AddedParts(a.values, b.values);
  return sum;
}

Optional Added(const Optional& a, const Optional& b) {
  Require(a.components.has_value() == b.components.has_value(),
          "an optional that holds something and one that does not cannot be added up");
  Optional sum;
  if (a.components) sum.components = AddedAll(*a.components, *b.components);
  return sum;
}

std::string NameOf(const Variant& variant) {
  return variant.type_name.empty() ? "an empty variant" : variant.type_name;
}

// What a variant holds, if it is a T.
template <class T>
const T* In(const Variant& variant) {
  return PayloadIn<T>(variant);
}

// A number in a variant, as TensorFlow registers them: its bytes are the metadata.
bool HoldsNumber(const Variant& variant) {
  static const std::set<std::string, std::less<>> names = {"bool", "double", "float", "int"};
  return names.contains(variant.type_name);
}

}  // namespace

Variant Added(const Variant& a, const Variant& b) {
  if (In<TensorList>(a) && In<TensorList>(b)) return AsVariant(Added(*In<TensorList>(a), *In<TensorList>(b)));
  if (In<RaggedVariant>(a) && In<RaggedVariant>(b)) {
    return AsVariant(Added(*In<RaggedVariant>(a), *In<RaggedVariant>(b)));
  }
  if (In<Optional>(a) && In<Optional>(b)) return AsVariant(Added(*In<Optional>(a), *In<Optional>(b)));
  throw InvalidArgument(NameOf(a), " and ", NameOf(b), " cannot be added up");
}

Variant ZerosLike(const Variant& variant) {
  if (const auto* const list = In<TensorList>(variant)) {
    TensorList zeros;
    zeros.element_dtype = list->element_dtype;
    zeros.element_shape = list->element_shape;
    zeros.elements = ZerosOfAll(list->elements);
    return AsVariant(std::move(zeros));
  }
  if (const auto* const ragged = In<RaggedVariant>(variant)) {
    RaggedVariant zeros;
    zeros.splits = ragged->splits;
    zeros.values = ZeroOf(ragged->values);
    return AsVariant(std::move(zeros));
  }
  if (const auto* const optional = In<Optional>(variant)) {
    Optional zeros;
    if (optional->components) zeros.components = ZerosOfAll(*optional->components);
    return AsVariant(std::move(zeros));
  }
  Require(HoldsNumber(variant), "there is no zero for ", NameOf(variant));
  Variant zero = variant;
  zero.metadata.assign(zero.metadata.size(), '\0');
  return zero;
}

}  // namespace plumb::reference
