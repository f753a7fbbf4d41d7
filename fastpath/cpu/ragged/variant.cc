// Ragged tensors in variants. Values move in one run for each variant; a tensor that goes in or out whole is shared.
#include "fastpath/cpu/lib/row_splits.h"
#include "fastpath/cpu/lib/state/ragged_variant.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/ragged/splits.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast::cpu {
namespace {

Tensor AllocateSplits(DType type, int64_t count) { return Allocate(type, Shape({count})); }

Shape WithRows(const Shape& shape, int64_t rows) {
  Dims dims(shape);
  dims[0] = rows;
  return dims.ToShape();
}

class ToVariant final : public Kernel {
 public:
  explicit ToVariant(const Node& node)
      : ragged_rank_(static_cast<int>(GetAttr<int64_t>(node.attrs, "RAGGED_RANK"))),
        may_be_scalar_(!GetAttr<bool>(node.attrs, "batched_input")),
        is_batch_(!may_be_scalar_ && ragged_rank_ > 0) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i <= ragged_rank_; ++i) context.Unalias(i);
    Require(may_be_scalar_ || context.input(ragged_rank_).rank() > 0, "a scalar cannot be unbatched");
    if (!is_batch_) {
      std::vector<Tensor> parts;
      for (int i = 0; i <= ragged_rank_; ++i) {
        parts.push_back(context.input(i));
        Require(i == ragged_rank_ || parts.back().rank() == 1, "splits must be a vector, not of shape ",
                Printed(parts.back().shape()));
      }
      context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] =
          RaggedVariant::Of(std::move(parts));
      return;
    }
    if (context.input(0).shape() == Shape{0}) throw Internal("a batch has outermost splits, not none at all");
    const Tensor& values = context.input(ragged_rank_);
    std::vector<std::vector<int64_t>> nested;
    for (int i = 0; i < ragged_rank_; ++i) nested.push_back(VectorSplitsOf(context.input(i)));
    for (size_t i = 0; i < nested.size(); ++i) {
      const int64_t inner = i + 1 < nested.size() ? RowsIn(nested[i + 1]) : RowsOfValues(values);
      Require(nested[i].front() >= 0 && nested[i].back() <= inner, "splits go from ", nested[i].front(), " to ",
              nested[i].back(), ", but there are ", inner, " rows inside");
    }
    const int64_t rows = RowsIn(nested[0]);
    Tensor& encoded = context.AllocateOutput(0, DType::kVariant, Shape({rows}));
    for (int64_t row = 0; row < rows; ++row) {
      encoded.mutable_data<Variant>()[static_cast<size_t>(row)] =
          Row(nested, context.input(0).dtype(), values, static_cast<size_t>(row));
    }
  }

 private:
  static Variant Row(const std::vector<std::vector<int64_t>>& nested, DType type, const Tensor& values, size_t row) {
    std::vector<Tensor> parts;
    auto begin = static_cast<size_t>(nested[0][row]), end = static_cast<size_t>(nested[0][row + 1]);
    for (size_t axis = 1; axis < nested.size(); ++axis) {
      const std::vector<int64_t>& from = nested[axis];
      Tensor splits = AllocateSplits(type, static_cast<int64_t>(end - begin) + 1);
      for (size_t i = begin; i <= end; ++i) SetSplit(splits, static_cast<int64_t>(i - begin), from[i] - from[begin]);
      parts.push_back(std::move(splits));
      end = static_cast<size_t>(from[end]);
      begin = static_cast<size_t>(from[begin]);
    }
    const auto count = static_cast<int64_t>(end - begin), inner = RowElements(values);
    Tensor own = Allocate(values.dtype(), WithRows(values.shape(), count));
    if (count * inner > 0) {
      CopyRun(values.dtype(), values.raw(), static_cast<int64_t>(begin) * inner, own.mutable_raw(), 0, count * inner);
    }
    parts.push_back(std::move(own));
    return RaggedVariant::Of(std::move(parts));
  }

  const int ragged_rank_;
  const bool may_be_scalar_;
  const bool is_batch_;
};

class FromVariant final : public Kernel {
 public:
  explicit FromVariant(const Node& node)
      : values_type_(GetAttr<DType>(node.attrs, "Tvalues")),
        splits_type_(GetAttr<DType>(node.attrs, "Tsplits")),
        input_rank_(GetAttr<int64_t>(node.attrs, "input_ragged_rank")),
        output_rank_(GetAttr<int64_t>(node.attrs, "output_ragged_rank")) {}

  void Run(KernelContext& context) override {
    const Tensor encoded = context.input(0);
    const int64_t inner = output_rank_ - encoded.rank();
    Require(inner >= 0 && (input_rank_ == -1 || input_rank_ == inner), "variants of shape ", Printed(encoded.shape()),
            " with input_ragged_rank ", input_rank_, " do not give output_ragged_rank ", output_rank_);
    std::vector<const RaggedVariant*> components;
    for (const Variant& element : encoded.data<Variant>()) components.push_back(&Checked(element, inner));
    if (encoded.rank() == 0) {
      for (size_t i = 0; i < components[0]->parts().size(); ++i) {
        context.SetOutput(static_cast<int>(i), components[0]->parts()[i]);
      }
      return;
    }
    int output = 0;
    for (int axis = 0; axis + 1 < encoded.rank(); ++axis) {
      Tensor& splits = context.AllocateOutput(output++, splits_type_, Shape({encoded.dim(axis) + 1}));
      SetSplit(splits, 0, 0);
      int64_t rows = 0;
      for (int64_t row = 1; row <= encoded.dim(axis); ++row) {
        SetSplit(splits, row, rows = SplitAfter(rows, encoded.dim(axis + 1)));
      }
    }
    WriteRows(context, output++, components);
    for (int64_t axis = 0; axis < inner; ++axis) JoinSplits(context, output++, components, static_cast<size_t>(axis));
    JoinValues(context, output, components);
  }

 private:
  using Components = std::vector<const RaggedVariant*>;

  const RaggedVariant& Checked(const Variant& element, int64_t ragged_rank) const {
    const auto* const ragged = PayloadIn<RaggedVariant>(element);
    Require(ragged != nullptr, "a ragged tensor is needed, not a variant of type '", element.type_name, "'");
    Require(static_cast<int64_t>(ragged->ragged_rank()) == ragged_rank, "a variant holds ", ragged->ragged_rank(),
            " splits, not ", ragged_rank);
    Require(ragged->values().dtype() == values_type_, "a variant holds values of type ",
            DTypeName(ragged->values().dtype()), ", not ", DTypeName(values_type_));
    RowsOfValues(ragged->values());
    for (size_t i = 0; i < ragged->ragged_rank(); ++i) {
      const Tensor& splits = ragged->splits(i);
      Require(splits.dtype() == splits_type_ && splits.rank() == 1, "a variant holds splits of type ",
              DTypeName(splits.dtype()), " and shape ", Printed(splits.shape()), ", not a vector of type ",
              DTypeName(splits_type_));
    }
    return *ragged;
  }

  // How many rows each variant has.
  void WriteRows(KernelContext& context, int output, const Components& components) const {
    Tensor& splits = context.AllocateOutput(output, splits_type_, Shape({static_cast<int64_t>(components.size()) + 1}));
    int64_t rows = 0;
    SetSplit(splits, 0, 0);
    for (size_t i = 0; i < components.size(); ++i) {
      const RaggedVariant& each = *components[i];
      Require(each.ragged_rank() == 0 || each.splits(0).elements() > 0, "splits must not be empty");
      rows = SplitAfter(rows, each.ragged_rank() == 0 ? each.values().dim(0) : each.splits(0).elements() - 1);
      SetSplit(splits, static_cast<int64_t>(i) + 1, rows);
    }
  }

  void JoinSplits(KernelContext& context, int output, const Components& components, size_t axis) const {
    int64_t count = 1;
    for (const RaggedVariant* const each : components) count += std::max<int64_t>(each->splits(axis).elements() - 1, 0);
    Tensor& joined = context.AllocateOutput(output, splits_type_, Shape({count}));
    SetSplit(joined, 0, 0);
    int64_t at = 1, before = 0;
    for (const RaggedVariant* const each : components) {
      const Tensor& splits = each->splits(axis);
      for (int64_t i = 1; i < splits.elements(); ++i) SetSplit(joined, at++, SplitAfter(before, IntAt(splits, i)));
      before = IntAt(joined, at - 1);
    }
  }

  void JoinValues(KernelContext& context, int output, const Components& components) const {
    if (components.empty()) {
      context.AllocateOutput(output, values_type_, Shape({0}));
      return;
    }
    const Shape first = components[0]->values().shape();
    int64_t rows = 0;
    for (const RaggedVariant* const each : components) {
      const Shape& shape = each->values().shape();
      const bool fits = shape.rank() == first.rank() && WithRows(shape, 0) == WithRows(first, 0);
      Require(fits, "values of the shapes ", Printed(first), " and ", Printed(shape), " cannot be stacked");
      Require(!__builtin_add_overflow(rows, shape[0], &rows), "the result is too large");
    }
    Tensor& joined = context.AllocateOutput(output, values_type_, WithRows(first, rows));
    int64_t at = 0;
    for (const RaggedVariant* const each : components) {
      const int64_t count = each->values().elements();
      if (count > 0) CopyRun(values_type_, each->values().raw(), 0, joined.mutable_raw(), at, count);
      at += count;
    }
  }

  const DType values_type_;
  const DType splits_type_;
  const int64_t input_rank_;
  const int64_t output_rank_;
};

class VariantGradient final : public Kernel {
 public:
  explicit VariantGradient(const Node& node) : type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &encoded = context.input(0), &dims_tensor = context.input(2);
    Require(dims_tensor.rank() == 1, "dense_values_shape must be a vector, not of shape ",
            Printed(dims_tensor.shape()));
    Dims dims;
    for (int64_t i = 0; i < dims_tensor.elements(); ++i) dims.Append(IntAt(dims_tensor, i));
    const Shape shape = dims.ToShape();
    std::vector<Tensor> parts;
    int64_t elements = 0;
    for (const Variant& element : encoded.data<Variant>()) {
      parts.push_back(Part(context, element, static_cast<int64_t>(parts.size()), shape));
      elements += parts.back().elements();
    }
    if (parts.size() == 1) return context.SetOutput(0, parts[0]);
    Require(elements == shape.elements(), "the variants hold ", elements, " values, but the gradient has the shape ",
            Printed(shape));
    Tensor& joined = context.AllocateOutput(0, type_, shape);
    int64_t at = 0;
    for (const Tensor& part : parts) {
      if (part.elements() > 0) CopyRun(type_, part.raw(), 0, joined.mutable_raw(), at, part.elements());
      at += part.elements();
    }
  }

 private:
  Tensor Part(KernelContext& context, const Variant& element, int64_t row, const Shape& shape) const {
    if (const auto* const ragged = PayloadIn<RaggedVariant>(element)) {
      Require(ragged->values().dtype() == type_, "a gradient of type ", DTypeName(ragged->values().dtype()),
              " is not one of type ", DTypeName(type_));
      return ragged->values();
    }
    Require(element.payload == nullptr, "a variant of type '", element.type_name,
            "' is no gradient of a ragged tensor");
    const Tensor& splits = context.input(1);
    if (splits.rank() == 0) return AllocateZeros(context.pool(), type_, shape);
    const bool is_there = row + 1 < splits.elements() && IntAt(splits, row) <= IntAt(splits, row + 1);
    int64_t rows = 0;
    Require(is_there && shape.rank() > 0 && !__builtin_sub_overflow(IntAt(splits, row + 1), IntAt(splits, row), &rows),
            "row_splits of shape ", Printed(splits.shape()), " have no row ", row);
    return AllocateZeros(context.pool(), type_, WithRows(shape, rows));
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"RaggedTensorToVariant", Make<ToVariant>},
    {"RaggedTensorFromVariant", Make<FromVariant>},
    {"RaggedTensorToVariantGradient", Make<VariantGradient>},
};

}  // namespace

std::span<const KernelRow> RaggedVariant() { return kRows; }

}  // namespace plumb::fast::cpu
