#include "spec/graph/fold.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "spec/ops/op_def.h"

namespace plumb {
namespace {

constexpr int64_t kMaxElements = 1024;
using Values = std::vector<int64_t>;
using Result = std::optional<Tensor>;

// The node with its inputs as integers.
struct Folding {
  const Node& node;
  std::span<const Tensor* const> inputs;
  std::span<const PartialShape> shapes;

  const Tensor& input(int i) const { return *inputs[i]; }
  Values values(int i) const { return ToInt64s(input(i)); }
  DType dtype() const { return node.output_types[0]; }
};

// Nothing when a value does not fit: the run will wrap around, which no shape does.
Result MakeIntegers(DType dtype, const Shape& shape, const Values& values) {
  if (shape.elements() > kMaxElements || shape.elements() != static_cast<int64_t>(values.size())) return std::nullopt;
  Tensor tensor(dtype, shape);
  if (dtype == DType::kInt64) {
    std::copy(values.begin(), values.end(), tensor.mutable_data<int64_t>().begin());
    return tensor;
  }
  if (dtype != DType::kInt32) return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < INT32_MIN || values[i] > INT32_MAX) return std::nullopt;
    tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(values[i]);
  }
  return tensor;
}

Result Vector(const Folding& f, const Values& values) {
  return MakeIntegers(f.dtype(), {static_cast<int64_t>(values.size())}, values);
}
Result Scalar(const Folding& f, int64_t value) { return MakeIntegers(f.dtype(), Shape(), {value}); }

Result FoldShape(const Folding& f, int i) {
  return f.shapes[i].IsFullyDefined() ? Vector(f, f.shapes[i].dims()) : std::nullopt;
}
Result FoldRank(const Folding& f) { return f.shapes[0].has_rank() ? Scalar(f, f.shapes[0].rank()) : std::nullopt; }
Result FoldSize(const Folding& f) {
  return f.shapes[0].IsFullyDefined() ? Scalar(f, f.shapes[0].ToShape().elements()) : std::nullopt;
}

Result FoldIdentity(const Folding& f) { return f.input(0); }

template <class T>
Result MakeFloats(const Shape& shape, const Values& values) {
  Tensor tensor(DTypeOf<T>, shape);
  std::copy(values.begin(), values.end(), tensor.mutable_data<T>().begin());
  return tensor;
}

// To floating point too: the bounds of a Range are often cast.
Result FoldCast(const Folding& f) {
  const Shape& shape = f.input(0).shape();
  if (f.dtype() == DType::kFloat) return MakeFloats<float>(shape, f.values(0));
  if (f.dtype() == DType::kDouble) return MakeFloats<double>(shape, f.values(0));
  return MakeIntegers(f.dtype(), shape, f.values(0));
}

Result FoldPack(const Folding& f) {
  Values values;
  for (size_t i = 0; i < f.inputs.size(); ++i) {
    if (f.input(static_cast<int>(i)).rank() != 0) return std::nullopt;
    values.push_back(f.values(static_cast<int>(i))[0]);
  }
  return Vector(f, values);
}

Result FoldConcat(const Folding& f) {
  Values values;
  for (size_t i = 0; i + 1 < f.inputs.size(); ++i) {
    if (f.input(static_cast<int>(i)).rank() != 1) return std::nullopt;
    const Values piece = f.values(static_cast<int>(i));
    values.insert(values.end(), piece.begin(), piece.end());
  }
  return Vector(f, values);
}

Result FoldSlice(const Folding& f) {
  if (f.input(0).rank() != 1 || f.input(1).elements() != 1 || f.input(2).elements() != 1) return std::nullopt;
  const Values values = f.values(0);
  const int64_t length = f.input(0).elements();
  const int64_t begin = f.values(1)[0];
  if (begin < 0 || begin > length) return std::nullopt;
  const int64_t size = f.values(2)[0] == -1 ? length - begin : f.values(2)[0];
  if (size < 0 || size > length - begin) return std::nullopt;
  return Vector(f, Values(values.begin() + begin, values.begin() + begin + size));
}

Result FoldStridedSlice(const Folding& f) {
  const AttrMap& attrs = f.node.attrs;
  const bool plain = f.input(0).rank() == 1 && f.input(1).elements() == 1 && f.input(2).elements() == 1 &&
                     f.input(3).elements() == 1 && GetAttr<int64_t>(attrs, "ellipsis_mask") == 0 &&
                     GetAttr<int64_t>(attrs, "new_axis_mask") == 0;
  if (!plain) return std::nullopt;
  const Values values = f.values(0);
  const int64_t length = f.input(0).elements();
  const int64_t stride = f.values(3)[0];
  const auto position = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + length : at, 0, length); };
  const int64_t begin = (GetAttr<int64_t>(attrs, "begin_mask") & 1) != 0 ? 0 : position(f.values(1)[0]);
  const int64_t end = (GetAttr<int64_t>(attrs, "end_mask") & 1) != 0 ? length : position(f.values(2)[0]);
  if (stride < 1) return std::nullopt;
  if ((GetAttr<int64_t>(attrs, "shrink_axis_mask") & 1) != 0) {
    return begin < length ? Scalar(f, values[begin]) : std::nullopt;
  }
  Values sliced;
  for (int64_t i = begin; i < end; i = stride < end - i ? i + stride : end) sliced.push_back(values[i]);
  return Vector(f, sliced);
}

Result FoldRange(const Folding& f) {
  const int64_t start = f.values(0)[0];
  const int64_t limit = f.values(1)[0];
  const int64_t delta = f.values(2)[0];
  if (delta <= 0 || start < INT32_MIN || limit > INT32_MAX || delta > INT32_MAX || limit - start > kMaxElements) {
    return std::nullopt;
  }
  Values values;
  for (int64_t i = start; i < limit; i += delta) values.push_back(i);
  return Vector(f, values);
}

Result FoldReshape(const Folding& f) {
  Values values = f.values(0);
  if (f.node.IsOp("ExpandDims")) return values.size() == 1 && f.input(0).rank() == 0 ? Vector(f, values) : std::nullopt;
  const Values shape = f.values(1);
  const bool flattens = shape.size() == 1 && (shape[0] == -1 || shape[0] == static_cast<int64_t>(values.size()));
  if (shape.empty() && values.size() == 1) return Scalar(f, values[0]);
  return flattens ? Vector(f, values) : std::nullopt;
}

Result FoldGather(const Folding& f) {
  if (f.input(0).rank() != 1 || GetAttrOr<int64_t>(f.node.attrs, "batch_dims", 0) != 0) return std::nullopt;
  const Values values = f.values(0);
  Values gathered;
  for (const int64_t index : f.values(1)) {
    if (index < 0 || index >= static_cast<int64_t>(values.size())) return std::nullopt;
    gathered.push_back(values[index]);
  }
  return MakeIntegers(f.dtype(), f.input(1).shape(), gathered);
}

Result FoldProd(const Folding& f) {
  const Values axes = f.values(1);
  const bool all = f.input(0).rank() == 1 && axes.size() == 1 && (axes[0] == 0 || axes[0] == -1);
  if (!all || GetAttrOr<bool>(f.node.attrs, "keep_dims", false)) return std::nullopt;
  int64_t product = 1;
  for (const int64_t value : f.values(0)) {
    if (__builtin_mul_overflow(product, value, &product)) return std::nullopt;
  }
  return Scalar(f, product);
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// One pair of elements; nothing on overflow or division by zero.
std::optional<int64_t> Combine(const Node& node, int64_t a, int64_t b) {
  int64_t result = 0;
  if (node.IsOp("Add") || node.IsOp("AddV2")) {
    if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  } else if (node.IsOp("Sub")) {
    if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  } else if (node.IsOp("Mul")) {
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  } else if (node.IsOp("Maximum")) {
    result = std::max(a, b);
  } else if (node.IsOp("Minimum")) {
    result = std::min(a, b);
  } else {
    if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1)) return std::nullopt;
    result = node.IsOp("FloorDiv") ? FloorDivide(a, b) : a - FloorDivide(a, b) * b;
  }
  return result;
}

Result FoldBinary(const Folding& f) {
  const Values a = f.values(0);
  const Values b = f.values(1);
  if (f.input(0).rank() > 1 || f.input(1).rank() > 1) return std::nullopt;
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return std::nullopt;
  const size_t count = a.size() == 1 ? b.size() : a.size();
  Values values;
  for (size_t i = 0; i < count; ++i) {
    const auto value = Combine(f.node, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return f.input(0).rank() == 0 && f.input(1).rank() == 0 ? Scalar(f, values[0]) : Vector(f, values);
}

using FoldFn = Result (*)(const Folding&);
struct FoldRow {
  std::string_view op;
  FoldFn fold;
};

constexpr FoldRow kFromShapes[] = {{"Rank", FoldRank}, {"Size", FoldSize}};
constexpr FoldRow kFromValues[] = {
    {"Identity", FoldIdentity}, {"Cast", FoldCast},       {"Pack", FoldPack},
    {"ConcatV2", FoldConcat},   {"Slice", FoldSlice},     {"StridedSlice", FoldStridedSlice},
    {"Range", FoldRange},       {"Reshape", FoldReshape}, {"ExpandDims", FoldReshape},
    {"GatherV2", FoldGather},   {"Prod", FoldProd},       {"Add", FoldBinary},
    {"AddV2", FoldBinary},      {"Sub", FoldBinary},      {"Mul", FoldBinary},
    {"FloorDiv", FoldBinary},   {"FloorMod", FoldBinary}, {"Maximum", FoldBinary},
    {"Minimum", FoldBinary},
};

FoldFn Find(std::span<const FoldRow> rows, std::string_view op) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const FoldRow& row) { return row.op == op; });
  return found == rows.end() ? nullptr : found->fold;
}

bool IsSmallInteger(const Tensor* tensor) {
  return tensor != nullptr && (tensor->dtype() == DType::kInt32 || tensor->dtype() == DType::kInt64) &&
         tensor->elements() <= kMaxElements;
}

}  // namespace

std::vector<Tensor> FoldShapeArithmetic(const Node& node, std::span<const Tensor* const> inputs,
                                        std::span<const PartialShape> shapes) {
  const Folding folding{node, inputs, shapes};
  if (node.IsOp("Shape") || node.IsOp("ShapeN")) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < inputs.size(); ++i)
      outputs.push_back(FoldShape(folding, static_cast<int>(i)).value_or(Tensor()));
    return outputs;
  }
  FoldFn fold = Find(kFromShapes, node.op->name);
  if (fold == nullptr) {
    fold = Find(kFromValues, node.op->name);
    if (fold == nullptr || !std::all_of(inputs.begin(), inputs.end(), IsSmallInteger)) return {};
  }
  Result folded = fold(folding);
  if (!folded) return {};
  return {std::move(*folded)};
}

}  // namespace plumb
