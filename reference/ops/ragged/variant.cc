// Ragged tensors in variants: put in whole or row by row, taken out and stacked.
#include "reference/ops/lib/integer_tensor.h"
#include "reference/ops/lib/ragged_variant.h"
#include "reference/ops/ragged/splits.h"
#include "spec/core/variant_codec.h"

namespace plumb::reference {
namespace {

using Splits = std::vector<int64_t>;

Value RowsFrom(const Value& values, int64_t begin, int64_t end) {
  std::vector<int64_t> dims = values.tensor.shape().ToVector();
  dims[0] = end - begin;
  const int64_t inner = Subshape(values.tensor.shape(), 1, values.tensor.rank()).elements();
  Assembly rows(values.tensor.dtype(), Shape(dims));
  if (inner > 0 && end > begin) rows.Copy(0, values, begin * inner, (end - begin) * inner);
  return rows.Take();
}

Tensor SplitsTensor(DType type, const Splits& splits) { return IntegerTensor(type, {std::ssize(splits)}, splits); }

// Row `row` of the outermost axis, as a ragged tensor of the axes inside.
RaggedVariant RowOf(const std::vector<Splits>& nested, DType splits_type, const Value& values, int64_t row) {
  RaggedVariant component;
  int64_t begin = nested[0][row], end = nested[0][row + 1];
  for (size_t axis = 1; axis < nested.size(); ++axis) {
    const Splits& splits = nested[axis];
    Splits own;
    for (int64_t i = begin; i <= end; ++i) own.push_back(splits[i] - splits[begin]);
    component.splits.push_back(SplitsTensor(splits_type, own));
    end = splits[end];
    begin = splits[begin];
  }
  component.values = RowsFrom(values, begin, end);
  return component;
}

void ToVariant(OpContext& c) {
  const auto ragged_rank = static_cast<int>(c.attr<int64_t>("RAGGED_RANK"));
  const Value values = Detached(c.input(ragged_rank));
  Require(!c.attr<bool>("batched_input") || values.tensor.rank() > 0, "a scalar is no batch of anything");
  if (!c.attr<bool>("batched_input") || ragged_rank == 0) {
    RaggedVariant whole;
    for (int i = 0; i < ragged_rank; ++i) {
      whole.splits.push_back(Detached(c.input(i)).tensor);
      Require(whole.splits.back().rank() == 1, "splits must be a vector, not of shape ",
              whole.splits.back().shape().ToString());
    }
    whole.values = values;
    return c.Output(0, MakeScalar(AsVariant(std::move(whole))));
  }
  if (c.tensor(0).shape() == Shape{0}) throw Internal("the outermost splits are empty: there are no rows to take out");
  std::vector<Splits> nested;
  for (int i = 0; i < ragged_rank; ++i) nested.push_back(VectorSplitsOf(c, i));
  for (size_t i = 0; i < nested.size(); ++i) {
    const int64_t inner = i + 1 < nested.size() ? RowsIn(nested[i + 1]) : RowsOfValues(values.tensor);
    Require(nested[i].front() >= 0 && nested[i].back() <= inner, "splits go from ", nested[i].front(), " to ",
            nested[i].back(), ", beyond the ", inner, " rows inside");
  }
  const int64_t rows = RowsIn(nested[0]);
  Tensor encoded(DType::kVariant, {rows});
  for (int64_t row = 0; row < rows; ++row) {
    encoded.mutable_data<Variant>()[row] = AsVariant(RowOf(nested, c.tensor(0).dtype(), values, row));
  }
  c.Output(0, std::move(encoded));
}

// The ragged tensor in an element, with so many splits, of the types that the outputs have.
const RaggedVariant& RaggedIn(const OpContext& c, const Variant& element, int64_t ragged_rank) {
  const auto* const ragged = PayloadIn<RaggedVariant>(element);
  Require(ragged != nullptr, "a ragged tensor is needed, not ",
          element.type_name.empty() ? "an empty variant" : element.type_name);
  Require(std::ssize(ragged->splits) == ragged_rank, "the variant holds a ragged tensor with ", ragged->splits.size(),
          " splits, not ", ragged_rank);
  const DType values = c.attr<DType>("Tvalues"), splits = c.attr<DType>("Tsplits");
  Require(ragged->values.tensor.dtype() == values, "the variant holds values of ",
          DTypeName(ragged->values.tensor.dtype()), ", not ", DTypeName(values));
  RowsOfValues(ragged->values.tensor);
  for (const Tensor& each : ragged->splits) {
    Require(each.dtype() == splits, "the variant has splits of ", DTypeName(each.dtype()), ", not ", DTypeName(splits));
    Require(each.rank() == 1, "splits must be a vector, not of shape ", each.shape().ToString());
  }
  return *ragged;
}

using Components = std::vector<const RaggedVariant*>;

// The splits of the variants' own axes. TensorFlow gives each but the last as many rows as its axis is long.
std::vector<Splits> OuterSplits(const Shape& shape, const Components& components) {
  std::vector<Splits> outer;
  for (int axis = 0; axis + 1 < shape.rank(); ++axis) {
    CheckResultSize({shape.dim(axis), 2});
    Splits splits = {0};
    for (int64_t row = 0; row < shape.dim(axis); ++row)
      splits.push_back(SplitAfter(splits.back(), shape.dim(axis + 1)));
    outer.push_back(std::move(splits));
  }
  Splits last = {0};
  for (const RaggedVariant* const each : components) {
    Require(each->splits.empty() || each->splits[0].elements() > 0, "splits must not be empty");
    const int64_t rows = each->splits.empty() ? each->values.tensor.dim(0) : each->splits[0].elements() - 1;
    last.push_back(SplitAfter(last.back(), rows));
  }
  outer.push_back(std::move(last));
  return outer;
}

// The splits of one axis of all components, one after the other.
Splits JoinedSplits(const Components& components, size_t axis) {
  Splits joined = {0};
  for (const RaggedVariant* const each : components) {
    const Splits splits = ToInt64s(each->splits[axis]);
    const int64_t before = joined.back();
    for (size_t i = 1; i < splits.size(); ++i) joined.push_back(SplitAfter(before, splits[i]));
  }
  return joined;
}

Value JoinedValues(DType type, const Components& components) {
  if (components.empty()) return Assembly(type, {0}).Take();
  const Shape first = components[0]->values.tensor.shape();
  std::vector<int64_t> dims = first.ToVector();
  dims[0] = 0;
  for (const RaggedVariant* const each : components) {
    const Shape& shape = each->values.tensor.shape();
    Require(shape.rank() == first.rank() && Subshape(shape, 1, shape.rank()) == Subshape(first, 1, first.rank()),
            "values of the shapes ", first.ToString(), " and ", shape.ToString(), " cannot be stacked");
    Require(!__builtin_add_overflow(dims[0], shape.dim(0), &dims[0]), "the result has more rows than can be counted");
  }
  CheckResultSize(Shape(dims));
  Assembly joined(type, Shape(dims));
  int64_t at = 0;
  for (const RaggedVariant* const each : components) {
    const int64_t count = each->values.tensor.elements();
    if (count > 0) joined.Copy(at, each->values, 0, count);
    at += count;
  }
  return joined.Take();
}

void FromVariant(OpContext& c) {
  const Tensor& encoded = c.tensor(0);
  const int64_t output_rank = c.attr<int64_t>("output_ragged_rank"), wanted = c.attr<int64_t>("input_ragged_rank");
  const int64_t input_rank = wanted == -1 ? output_rank - encoded.rank() : wanted;
  Require(input_rank >= 0 && output_rank == input_rank + encoded.rank(), "variants of shape ",
          encoded.shape().ToString(), " with input_ragged_rank ", wanted, " do not make output_ragged_rank ",
          output_rank);
  Components components;
  for (const Variant& element : encoded.data<Variant>()) components.push_back(&RaggedIn(c, element, input_rank));
  const auto last = static_cast<int>(output_rank);
  if (encoded.rank() == 0) {
    for (int i = 0; i < last; ++i) c.Output(i, components[0]->splits[static_cast<size_t>(i)]);
    return c.Output(last, components[0]->values);
  }
  std::vector<Splits> splits = OuterSplits(encoded.shape(), components);
  for (int64_t axis = 0; axis < input_rank; ++axis) {
    splits.push_back(JoinedSplits(components, static_cast<size_t>(axis)));
  }
  for (int i = 0; i < last; ++i) c.Output(i, SplitsTensor(c.output_type(i), splits[static_cast<size_t>(i)]));
  c.Output(last, JoinedValues(c.attr<DType>("Tvalues"), components));
}

// The gradient for one row of a batch, or of the whole.
Value PartOfGradient(const OpContext& c, const Variant& element, size_t row, const Shape& all) {
  const DType type = c.attr<DType>("Tvalues");
  if (const auto* const ragged = PayloadIn<RaggedVariant>(element)) {
    const DType held = ragged->values.tensor.dtype();
    Require(held == type, "a gradient of ", DTypeName(held), " is not one of ", DTypeName(type));
    return ragged->values;
  }
  Require(element.payload == nullptr, "a gradient of ragged tensors is needed, not ", element.type_name);
  if (c.tensor(1).rank() == 0) return Assembly(type, all).Take();
  const std::vector<int64_t> splits = ToInt64s(c.tensor(1));
  Require(row + 1 < splits.size() && splits[row] <= splits[row + 1] && all.rank() > 0, "there is no row ", row,
          " in row_splits of shape ", c.tensor(1).shape().ToString());
  std::vector<int64_t> dims = all.ToVector();
  dims[0] = splits[row + 1] - splits[row];
  CheckResultSize(Shape(dims));
  return Assembly(type, Shape(dims)).Take();
}

void VariantGradient(OpContext& c) {
  const Tensor& encoded = c.tensor(0);
  const Shape shape = ShapeOfVector(c.tensor(2), "dense_values_shape");
  std::vector<Value> parts;
  int64_t elements = 0;
  for (const Variant& element : encoded.data<Variant>()) {
    parts.push_back(PartOfGradient(c, element, parts.size(), shape));
    elements += parts.back().tensor.elements();
  }
  if (parts.size() == 1) return c.Output(0, parts[0]);
  Require(elements == shape.elements(), "the variants hold ", elements, " values, but the gradient has the shape ",
          shape.ToString());
  CheckResultSize(shape);
  Assembly joined(c.attr<DType>("Tvalues"), shape);
  int64_t at = 0;
  for (const Value& part : parts) {
    if (part.tensor.elements() > 0) joined.Copy(at, part, 0, part.tensor.elements());
    at += part.tensor.elements();
  }
  c.Output(0, joined.Take());
}

constexpr KernelRow kRows[] = {
    {"RaggedTensorToVariant", ToVariant},
    {"RaggedTensorFromVariant", FromVariant},
    {"RaggedTensorToVariantGradient", VariantGradient},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedVariant() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
